// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import org.jspecify.annotations.Nullable;

/**
 * How the time limit of a replayed job follows from its trace. A limit is never below the duration,
 * because no job is killed.
 *
 * @param kind where the limit comes from
 * @param factor of {@link Kind#FACTOR}; else 1
 */
public record Estimates(Kind kind, double factor) {
  /** Where a limit comes from. */
  public enum Kind {
    /** The user's estimate; the duration if the trace has none. */
    USER,
    /** The duration. */
    EXACT,
    /** A multiple of the duration, rounded down to seconds. */
    FACTOR
  }

  /** The largest factor. */
  static final double FACTOR_MAX = 1_000;

  public static final Estimates USER = new Estimates(Kind.USER, 1);
  public static final Estimates EXACT = new Estimates(Kind.EXACT, 1);

  /**
   * Reads {@code user}, {@code exact} or {@code x} with a factor.
   *
   * @return null if the word is none of these
   */
  public static @Nullable Estimates parse(String word) {
    if (word.equals("user")) {
      return USER;
    }
    if (word.equals("exact")) {
      return EXACT;
    }
    if (!word.matches("x[0-9]{1,4}(\\.[0-9]{1,6})?")) {
      return null;
    }
    double factor = Double.parseDouble(word.substring(1));
    return factor > 0 && factor <= FACTOR_MAX ? new Estimates(Kind.FACTOR, factor) : null;
  }

  /** Returns the time limit of a job in seconds. */
  long limitSeconds(TraceJob job) {
    Long told = job.estimateSeconds();
    long duration = job.durationSeconds();
    return switch (kind) {
      case USER -> told == null ? duration : Math.max(told, duration);
      case EXACT -> duration;
      case FACTOR -> Math.max((long) (duration * factor), duration);
    };
  }
}
