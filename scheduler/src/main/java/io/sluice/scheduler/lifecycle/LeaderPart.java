// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

/**
 * A part that works only on the leader. The role of the server finds such parts as beans of this
 * type. Both methods return at once and throw nothing.
 */
public interface LeaderPart {
  /**
   * This server leads from now on.
   *
   * @param lease to be asked before each step: a server that has not renewed it in time must not
   *     act, though it may lead again later
   */
  void beginLeading(Lease lease);

  /** This server does not lead any more. */
  void endLeading();
}
