// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.quantity.Quantities;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;

/**
 * Formats amounts of resources for people: CPUs in cores, bytes in binary units, everything else as
 * a plain number. Documents (JSON, YAML) have the exact amounts instead.
 */
public final class Amounts {
  private static final List<String> UNITS = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
  private static final int PLACES = 2;
  private static final int PERCENT = 100;

  private Amounts() {}

  /**
   * Formats an amount in Kubernetes' notation: {@code 1.5} for {@code 1500m} cpu, {@code 1Ti} for
   * {@code 1099511627776} memory. Bytes are rounded to two decimal places. Text that is not a
   * quantity is returned unchanged.
   */
  public static String shown(String amount, String resource) {
    if (amount.isEmpty()) {
      return amount;
    }
    try {
      BigDecimal exact = Quantities.exact(amount);
      return bytes(resource) ? bytes(exact) : plain(exact);
    } catch (InvalidValueException noQuantity) {
      return amount;
    }
  }

  /** Formats a share from 0 to 1: {@code 80 %} for 0.8. */
  public static String percent(double share) {
    return Math.round(share * PERCENT) + " %";
  }

  private static boolean bytes(String resource) {
    return resource.equals("memory")
        || resource.equals("ephemeral-storage")
        || resource.equals("storage")
        || resource.startsWith("hugepages-");
  }

  private static String bytes(BigDecimal exact) {
    BigDecimal scaled = exact;
    int unit = 0;
    while (scaled.abs().compareTo(KIBI) >= 0 && unit < UNITS.size() - 1) {
      scaled = scaled.divide(KIBI, MathContext.DECIMAL128);
      unit++;
    }
    return plain(scaled.setScale(PLACES, RoundingMode.HALF_EVEN)) + UNITS.get(unit);
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }
}
