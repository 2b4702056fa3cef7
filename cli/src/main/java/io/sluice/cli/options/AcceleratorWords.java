// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.output.Age;
import java.time.Instant;
import java.util.StringJoiner;

/** Formats accelerator use for people. */
public final class AcceleratorWords {
  private static final double GIBI = 1L << 30;

  private AcceleratorWords() {}

  /** Returns the duty cycle in percent, or a dash. */
  public static String dutyCycle(JsonNode use) {
    return use.has("dutyCyclePercent")
        ? "%s%% of %s chips"
            .formatted(use.path("dutyCyclePercent").asText(), use.path("chips").asText())
        : "-";
  }

  /** Returns all known values, with their age. */
  public static String sentence(JsonNode use, Instant now) {
    StringJoiner known = new StringJoiner(", ");
    add(known, "duty cycle", use.path("dutyCyclePercent"));
    add(known, "TensorCores", use.path("tensorcoreUtilizationPercent"));
    if (use.has("hbmUsedBytes")) {
      known.add(
          use.has("hbmTotalBytes")
              ? "HBM %.1f of %.1f GiB"
                  .formatted(
                      use.path("hbmUsedBytes").asLong() / GIBI,
                      use.path("hbmTotalBytes").asLong() / GIBI)
              : "HBM %.1f GiB".formatted(use.path("hbmUsedBytes").asLong() / GIBI));
    }
    add(known, "memory bandwidth", use.path("memoryBandwidthUtilizationPercent"));
    return "%s chips: %s, %s ago"
        .formatted(use.path("chips").asText(), known, Age.of(use.path("readAt").asText(), now));
  }

  private static void add(StringJoiner known, String what, JsonNode percent) {
    if (percent.isNumber()) {
      known.add(what + " " + percent.asText() + "%");
    }
  }
}
