// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import io.sluice.cli.output.Age;
import io.sluice.restmodel.explanation.AcceleratorUsage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Formats accelerator use for people. */
public final class AcceleratorWords {
  private static final double GIBI = 1L << 30;

  private AcceleratorWords() {}

  /**
   * Returns the duty cycle in percent, or a dash.
   *
   * @param use null: nothing reports it
   */
  public static String dutyCycle(@Nullable AcceleratorUsage use) {
    return use == null || use.dutyCyclePercent() == null
        ? "-"
        : "%s%% of %d chips".formatted(use.dutyCyclePercent(), use.chips());
  }

  /** Returns all known values, with their age. */
  public static String sentence(AcceleratorUsage use, Instant now) {
    StringJoiner known = new StringJoiner(", ");
    add(known, "duty cycle", use.dutyCyclePercent());
    add(known, "TensorCores", use.tensorcoreUtilizationPercent());
    Long used = use.hbmUsedBytes();
    Long total = use.hbmTotalBytes();
    if (used != null) {
      known.add(
          total == null
              ? "HBM %.1f GiB".formatted(used / GIBI)
              : "HBM %.1f of %.1f GiB".formatted(used / GIBI, total / GIBI));
    }
    add(known, "memory bandwidth", use.memoryBandwidthUtilizationPercent());
    return "%d chips: %s, %s ago".formatted(use.chips(), known, Age.of(use.readAt(), now));
  }

  private static void add(StringJoiner known, String what, @Nullable BigDecimal percent) {
    if (percent != null) {
      known.add(what + " " + percent + "%");
    }
  }
}
