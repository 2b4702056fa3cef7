// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import io.sluice.queuemodel.InvalidValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as Go and Kubernetes write them ({@code 1h30m}, {@code 90s}, {@code 1.5h}), and as ISO
 * 8601 does ({@code PT1H30M}, {@code P7D}).
 */
public final class DurationNotation {
  private static final Pattern PART =
      Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(ns|us|ms|s|m|h)");
  private static final Pattern WHOLE =
      Pattern.compile("(?:\\d{1,12}(?:\\.\\d{1,9})?(?:ns|us|ms|s|m|h)){1,6}");
  private static final int ISO_LENGTH_MAX = 60;
  private static final Map<String, Long> UNIT_NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);
  private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);

  private DurationNotation() {}

  /**
   * Reads either notation; a fraction of a nanosecond is dropped.
   *
   * @throws InvalidValueException if the text is in neither
   */
  public static Duration parse(String text) {
    if (text.startsWith("P") && text.length() <= ISO_LENGTH_MAX) {
      try {
        return Duration.parse(text);
      } catch (DateTimeException | ArithmeticException notIso) {
        throw noDuration();
      }
    }
    if (!WHOLE.matcher(text).matches()) {
      throw noDuration();
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      long unit = UNIT_NANOS.getOrDefault(part.group(2), 0L);
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
    }
    BigInteger[] seconds = nanos.toBigInteger().divideAndRemainder(NANOS_PER_SECOND);
    return Duration.ofSeconds(seconds[0].longValueExact(), seconds[1].longValueExact());
  }

  private static InvalidValueException noDuration() {
    return new InvalidValueException("must be a duration such as 90s, 1h30m or PT1H30M");
  }

  /** The exact duration in the first notation; it must not be negative. */
  public static String format(Duration duration) {
    StringBuilder text = new StringBuilder();
    if (duration.toHours() > 0) {
      text.append(duration.toHours()).append('h');
    }
    if (duration.toMinutesPart() > 0) {
      text.append(duration.toMinutesPart()).append('m');
    }
    BigDecimal seconds =
        BigDecimal.valueOf(duration.toSecondsPart())
            .add(BigDecimal.valueOf(duration.toNanosPart(), 9))
            .stripTrailingZeros();
    if (seconds.signum() > 0 || text.isEmpty()) {
      text.append(seconds.toPlainString()).append('s');
    }
    return text.toString();
  }
}
