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
 * One thread on which everything happens that changes attempts; so their state needs no locks. What
 * is posted after the loop was closed is dropped.
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

  /** Daemon threads: none of them keeps a server alive. */
  static ThreadFactory threads(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Runs the step soon, in the order of posting. */
  void post(Runnable step) {
    thread.execute(guarded(step));
  }

  /** Runs the step after the delay. */
  ScheduledFuture<?> schedule(Duration delay, Runnable step) {
    return thread.schedule(guarded(step), delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Runs the step again and again. */
  void repeat(Duration interval, Runnable step) {
    var unused =
        thread.scheduleWithFixedDelay(
            guarded(step), interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** A step that fails is a defect of that step; the others go on. */
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
