// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Bounded waits that an interrupt does not cut short: half a start or half a stop would leave a
 * server behind. The interrupt is still set afterwards.
 */
final class Waiting {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private Waiting() {}

  /** Polls until the condition holds. Returns false if it does not within {@code limit}. */
  static boolean until(BooleanSupplier condition, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    boolean interrupted = false;
    try {
      while (!condition.getAsBoolean()) {
        if (System.nanoTime() - end >= 0) {
          return false;
        }
        try {
          TimeUnit.NANOSECONDS.sleep(STEP_NANOS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return true;
    } finally {
      restore(interrupted);
    }
  }

  /** Waits for the end of a child process. Returns false if it runs on after {@code limit}. */
  static boolean untilEnd(Process process, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
