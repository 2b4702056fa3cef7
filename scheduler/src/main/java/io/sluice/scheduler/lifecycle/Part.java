// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.lifecycle;

/**
 * A part of the server that is started and ended. The server finds its parts as beans of this type,
 * one for each place of {@link StartOrder}.
 */
public interface Part extends AutoCloseable {
  /** The place of this part in the order of start. */
  StartOrder place();

  /** Starts. A part that works from its construction on need not override it. */
  default void start() {}

  /** Ends within a bounded time. Also called if the start failed. */
  @Override
  void close();
}
