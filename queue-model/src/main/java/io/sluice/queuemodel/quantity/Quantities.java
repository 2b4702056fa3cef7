// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quantity;

import io.sluice.queuemodel.InvalidValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kubernetes' notation of quantities ({@code 500m}, {@code 1Gi}, {@code 2e3}) and the longs that
 * are counted with. A fraction of a counted unit rounds up, as Kubernetes rounds it.
 */
public final class Quantities {
  private static final Pattern NOTATION =
      Pattern.compile(
          "([+-]?)(\\d{1,40}(?:\\.\\d{0,40})?|\\.\\d{1,40})(?:[eE]([+-]?\\d{1,4})|(\\D.*))?");
  private static final List<String> BINARY = List.of("Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
  private static final List<String> DECIMAL = List.of("k", "M", "G", "T", "P", "E");
  private static final List<String> FRACTION = List.of("m", "u", "n");
  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final int KIBI_SHIFT = 10;
  private static final int THOUSAND_DIGITS = 3;
  private static final int EXPONENT_MAX = 60;

  private Quantities() {}

  /**
   * Reads a quantity.
   *
   * @return the amount in the resource's counted unit; not negative
   * @throws InvalidValueException if the text is no quantity, is negative, or does not fit a long
   */
  public static long parse(String text, ResourceName resource) {
    BigDecimal counted = counted(text, resource);
    if (counted.compareTo(MAX) > 0) {
      throw new InvalidValueException(
          "is too large: at most " + format(Long.MAX_VALUE, resource) + " of " + resource);
    }
    return counted.longValueExact();
  }

  /**
   * Reads a quantity of which more than there can be counts as the most that can be counted.
   *
   * @return the amount in the resource's counted unit; not negative
   * @throws InvalidValueException if the text is no quantity or is negative
   */
  public static long parseSaturated(String text, ResourceName resource) {
    return counted(text, resource).min(MAX).longValueExact();
  }

  private static BigDecimal counted(String text, ResourceName resource) {
    BigDecimal value = exact(text);
    if (value.signum() < 0) {
      throw new InvalidValueException("must not be negative");
    }
    return value
        .multiply(BigDecimal.valueOf(resource.unitsPerOne()))
        .setScale(0, RoundingMode.CEILING);
  }

  /**
   * The number that the notation means.
   *
   * @throws InvalidValueException if the text is no quantity
   */
  public static BigDecimal exact(String text) {
    Matcher matcher = NOTATION.matcher(text);
    if (!matcher.matches()) {
      throw new InvalidValueException("must be a quantity such as 4, 500m or 16Gi");
    }
    BigDecimal value = new BigDecimal(matcher.group(2)).multiply(scale(matcher));
    return "-".equals(matcher.group(1)) ? value.negate() : value;
  }

  private static BigDecimal scale(Matcher matcher) {
    if (matcher.group(3) != null) {
      int exponent = Integer.parseInt(matcher.group(3));
      if (Math.abs(exponent) > EXPONENT_MAX) {
        throw new InvalidValueException("is out of range: the exponent " + exponent);
      }
      return BigDecimal.ONE.scaleByPowerOfTen(exponent);
    }
    String suffix = matcher.group(4);
    if (suffix == null) {
      return BigDecimal.ONE;
    }
    if (BINARY.contains(suffix)) {
      int power = BINARY.indexOf(suffix) + 1;
      return new BigDecimal(BigInteger.ONE.shiftLeft(KIBI_SHIFT * power));
    }
    if (DECIMAL.contains(suffix)) {
      return BigDecimal.ONE.scaleByPowerOfTen(THOUSAND_DIGITS * (DECIMAL.indexOf(suffix) + 1));
    }
    if (FRACTION.contains(suffix)) {
      return BigDecimal.ONE.scaleByPowerOfTen(-THOUSAND_DIGITS * (FRACTION.indexOf(suffix) + 1));
    }
    throw new InvalidValueException(
        "has the unknown suffix '"
            + suffix
            + "': one of m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei");
  }

  /** The shortest exact notation: {@code 1500m}, {@code 2}, {@code 16Gi}. */
  public static String format(long amount, ResourceName resource) {
    if (resource.unitsPerOne() != 1) {
      return amount % resource.unitsPerOne() == 0
          ? Long.toString(amount / resource.unitsPerOne())
          : amount + "m";
    }
    if (amount != 0 && resource.equals(ResourceName.MEMORY)) {
      for (int power = BINARY.size(); power >= 1; power--) {
        long unit = 1L << (KIBI_SHIFT * power);
        if (amount % unit == 0) {
          return amount / unit + BINARY.get(power - 1);
        }
      }
    }
    return Long.toString(amount);
  }
}
