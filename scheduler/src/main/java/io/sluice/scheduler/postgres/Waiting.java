// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Bounded waits, and steps that an interrupt must not cut short. */
final class Waiting {
  private static final long STEP_MILLIS = 5;

  private Waiting() {}

  /**
   * Polls until the condition holds.
   *
   * @return false if it does not within {@code limit}
   */
  static boolean until(BooleanSupplier condition, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
    return true;
  }

  /**
   * Waits for the end of a child process.
   *
   * @return false if it still runs after {@code limit}
   */
  static boolean untilEnd(Process process, Duration limit) {
    try {
      return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Runs steps on a thread that nobody can interrupt, and waits for their end. An interrupt fails
   * every file operation, and half a start or half a stop would leave a server behind. The caller's
   * interrupt flag is set again afterwards. The steps must bound themselves.
   */
  static <T> T undisturbed(Callable<T> steps) {
    FutureTask<T> task = new FutureTask<>(steps);
    Thread thread = new Thread(task, "embedded-postgres");
    thread.setDaemon(true);
    thread.start();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          thread.join();
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted while waiting for PostgreSQL", e);
  }
}
