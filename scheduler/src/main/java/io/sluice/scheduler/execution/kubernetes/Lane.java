// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** One thread that does one thing after another for the attempts that are its own. */
final class Lane implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Lane.class);
  private final ScheduledThreadPoolExecutor thread;

  Lane(String name) {
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, name);
              made.setDaemon(true);
              return made;
            });
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  void post(Runnable task) {
    later(Duration.ZERO, task);
  }

  /** Does it after a while, or never if the lane is closed by then. */
  void later(Duration delay, Runnable task) {
    try {
      var unused = thread.schedule(() -> guarded(task), delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      LOG.debug("nothing is begun any more", closed);
    }
  }

  private static void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException failure) {
      // One attempt's trouble is not the others'.
      LOG.error("an attempt could not be dealt with", failure);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      boolean unused = thread.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
