// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the value of {@code --timeout}. */
public final class WaitTime {
  private static final Pattern TIME = Pattern.compile("([0-9]{1,6})([smhd])");
  private static final Duration TIME_MAX = Duration.ofDays(365);

  private WaitTime() {}

  /**
   * Parses a time such as 90s, 30m, 2h or 1d.
   *
   * @throws WrongUsageException if it is not one, or longer than a year
   */
  public static Duration parse(String written) {
    Matcher matcher = TIME.matcher(written);
    if (matcher.matches()) {
      long number = Long.parseLong(matcher.group(1));
      Duration time =
          switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
          };
      if (time.compareTo(TIME_MAX) <= 0) {
        return time;
      }
    }
    throw new WrongUsageException(
        "--timeout must be a time of at most 365d, such as 90s, 30m or 2h, it is " + written);
  }
}
