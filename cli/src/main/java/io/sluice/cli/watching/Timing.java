// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.watching;

import java.time.Duration;

/** The passing of time; a test replaces it. */
public interface Timing {
  /** The time of this machine. */
  Timing SYSTEM =
      new Timing() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void sleep(Duration pause) throws InterruptedException {
          Thread.sleep(pause.toMillis());
        }
      };

  /** Returns a time in nanoseconds, of which only differences have a meaning. */
  long nanos();

  /** Pauses. */
  void sleep(Duration pause) throws InterruptedException;

  /** Returns what is left of a period that began at a time of {@link #nanos}; never negative. */
  default Duration left(Duration period, long begunNanos) {
    Duration left = period.minusNanos(nanos() - begunNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Returns the shorter one of two periods. */
  static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
