// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.token;

import io.sluice.cli.options.WrongUsageException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the value of {@code --expires}. */
final class ExpiryTime {
  private static final Pattern FROM_NOW = Pattern.compile("([0-9]{1,6})([mhd])");

  private ExpiryTime() {}

  /**
   * Parses a time, or a duration from now such as 30d, 12h or 90m. The result has whole seconds.
   *
   * @throws WrongUsageException if it is neither
   */
  static Instant parse(String written, Instant now) {
    Matcher matcher = FROM_NOW.matcher(written);
    if (matcher.matches()) {
      long number = Long.parseLong(matcher.group(1));
      Duration fromNow =
          switch (matcher.group(2)) {
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
          };
      return now.plus(fromNow).truncatedTo(ChronoUnit.SECONDS);
    }
    try {
      return Instant.parse(written);
    } catch (DateTimeException notTime) {
      throw new WrongUsageException(
          "--expires must be a time such as 2027-01-31T00:00:00Z, or one from now such as 30d or"
              + " 12h, it is "
              + written);
    }
  }
}
