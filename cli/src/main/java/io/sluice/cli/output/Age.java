// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Formats the time since an instant, in one unit. */
public final class Age {
  private static final int MINUTES_OF_DAY = 24 * 60;
  private static final int SECONDS_SHOWN_MAX = 120;
  private static final int MINUTES_SHOWN_MAX = 120;
  private static final int HOURS_SHOWN_MAX = 48;

  private Age() {}

  /** As {@code 45s}, {@code 12m}, {@code 5h}, {@code 3d}. */
  public static String of(String instant, Instant now) {
    return of(instant.isEmpty() ? null : Instant.parse(instant), now);
  }

  /**
   * As {@link #of(String, Instant)}.
   *
   * @param instant null: the result is empty
   */
  public static String of(@Nullable Instant instant, Instant now) {
    return instant == null ? "" : of(Duration.between(instant, now));
  }

  /** As {@link #of(String, Instant)}, of a length of time. */
  public static String of(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < SECONDS_SHOWN_MAX) {
      return seconds + "s";
    }
    if (age.toMinutes() < MINUTES_SHOWN_MAX) {
      return age.toMinutes() + "m";
    }
    return age.toHours() < HOURS_SHOWN_MAX
        ? age.toHours() + "h"
        : age.toMinutes() / MINUTES_OF_DAY + "d";
  }
}
