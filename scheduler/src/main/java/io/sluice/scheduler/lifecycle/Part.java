// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

/**
 * A part of the server that has a beginning and an end. The server finds its parts as beans of this
 * type, one for each place of {@link StartOrder}.
 */
public interface Part extends AutoCloseable {
  /** The place at which it starts. */
  StartOrder place();

  /** Starts. A part that works from its construction on has nothing to do. */
  default void start() {}

  /** Ends, within a bound. It is also called if the start failed. */
  @Override
  void close();
}
