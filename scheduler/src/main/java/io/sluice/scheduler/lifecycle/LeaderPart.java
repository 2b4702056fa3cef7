// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

/**
 * A part that works only on the leader. The role of the server finds such parts as beans of this
 * type. Both methods return at once and throw nothing.
 */
public interface LeaderPart {
  /**
   * Called when this server becomes the leader.
   *
   * @param lease to be checked before each step: a server that did not renew it in time must not
   *     act, though it may lead again later
   */
  void beginLeading(Lease lease);

  /** Called when this server is no longer the leader. */
  void endLeading();
}
