// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.forecast;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Converts times to microseconds since the epoch, the unit of forecasts. */
public final class Ticks {
  /** A time that never comes. */
  public static final long NEVER = Long.MAX_VALUE;

  private Ticks() {}

  /** Returns the microsecond of a time, rounded down; {@link #NEVER} for null. */
  public static long of(@Nullable Instant time) {
    if (time == null) {
      return NEVER;
    }
    try {
      return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    } catch (ArithmeticException beyond) {
      return NEVER;
    }
  }

  /** Returns the first microsecond that is not before a time; {@link #NEVER} for null. */
  public static long notBefore(@Nullable Instant time) {
    long down = of(time);
    return time == null || down == NEVER || time.equals(instant(down)) ? down : down + 1;
  }

  /** Returns the time of a microsecond; null for {@link #NEVER}. */
  public static @Nullable Instant instant(long tick) {
    return tick == NEVER ? null : Instant.EPOCH.plus(tick, ChronoUnit.MICROS);
  }

  /** Returns the time after a duration; {@link #NEVER} for null or if it is too far away. */
  public static @Nullable Instant after(Instant from, @Nullable Duration time) {
    try {
      return time == null ? null : from.plus(time);
    } catch (DateTimeException | ArithmeticException beyond) {
      return null;
    }
  }

  /** Returns a length in microseconds, rounded down. */
  public static long length(Duration time) {
    return time.toNanos() / 1_000;
  }

  /** Returns the sum of a time and a length, {@link #NEVER} if either is or if it is too large. */
  public static long plus(long tick, long length) {
    long sum = tick + length;
    return tick == NEVER || length == NEVER || sum < tick ? NEVER : sum;
  }
}
