// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * A thread that runs tasks one after another. A task that throws is logged and does not stop the
 * others.
 */
public final class SerialExecutor implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(SerialExecutor.class);
  private final ScheduledThreadPoolExecutor thread;

  public SerialExecutor(String name) {
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

  public void post(Runnable task) {
    later(Duration.ZERO, task);
  }

  /** Runs a task after a delay, unless the executor is closed by then. */
  public void later(Duration delay, Runnable task) {
    try {
      var unused = thread.schedule(() -> guarded(task), delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      LOG.debug("a task is dropped: the executor is closed", closed);
    }
  }

  private static void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException failure) {
      // A failure of one attempt must not stop the others.
      LOG.error("a task of an attempt failed", failure);
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
