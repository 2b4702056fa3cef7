// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A single-threaded executor for all changes of attempts, whose state therefore needs no locks. It
 * drops steps that are posted after it was closed.
 */
final class EventLoop implements AutoCloseable {
  private static final Logger LOG = System.getLogger(EventLoop.class.getName());

  private final ScheduledThreadPoolExecutor thread;

  EventLoop(String name) {
    thread =
        new ScheduledThreadPoolExecutor(1, threads(name), new ThreadPoolExecutor.DiscardPolicy());
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
  }

  /** Returns a factory of daemon threads, which do not keep the JVM alive. */
  static ThreadFactory threads(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Runs the step on the loop, in the order of posting. */
  void post(Runnable step) {
    thread.execute(guarded(step));
  }

  /** Runs the step after the delay. */
  ScheduledFuture<?> schedule(Duration delay, Runnable step) {
    return thread.schedule(guarded(step), delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Runs the step periodically. */
  void repeat(Duration interval, Runnable step) {
    var unused =
        thread.scheduleWithFixedDelay(
            guarded(step), interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Logs an exception of the step, so that the others continue. */
  private static Runnable guarded(Runnable step) {
    return () -> {
      try {
        step.run();
      } catch (RuntimeException defect) {
        LOG.log(Level.ERROR, "A step of the local executor failed", defect);
      }
    };
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
