// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import java.time.Instant;
import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Use of a set of accelerator chips, from the latest metrics of their nodes. A value that no node
 * reported is null.
 *
 * @param chips number of chips with at least one metric
 * @param dutyCycle percent of time in which the chips computed
 * @param tensorcoreUtilization percent of the capacity of their TensorCores
 * @param hbmUsedBytes total over the chips
 * @param hbmTotalBytes total over the chips
 * @param memoryBandwidthUtilization percent of their memory bandwidth
 * @param at when the oldest of the metrics was read
 */
public record AcceleratorUse(
    int chips,
    @Nullable Double dutyCycle,
    @Nullable Double tensorcoreUtilization,
    @Nullable Long hbmUsedBytes,
    @Nullable Long hbmTotalBytes,
    @Nullable Double memoryBandwidthUtilization,
    Instant at) {

  /**
   * Combines the parts: a percentage is the mean over the chips that report it.
   *
   * @return null if there are no parts
   */
  public static @Nullable AcceleratorUse of(Collection<AcceleratorUse> parts) {
    if (parts.isEmpty()) {
      return null;
    }
    return new AcceleratorUse(
        parts.stream().mapToInt(AcceleratorUse::chips).sum(),
        mean(parts, AcceleratorUse::dutyCycle),
        mean(parts, AcceleratorUse::tensorcoreUtilization),
        sum(parts, AcceleratorUse::hbmUsedBytes),
        sum(parts, AcceleratorUse::hbmTotalBytes),
        mean(parts, AcceleratorUse::memoryBandwidthUtilization),
        parts.stream().map(AcceleratorUse::at).min(Instant::compareTo).orElseThrow());
  }

  private static @Nullable Double mean(
      Collection<AcceleratorUse> parts, Function<AcceleratorUse, @Nullable Double> what) {
    double sum = 0;
    int chips = 0;
    for (AcceleratorUse part : parts) {
      Double percent = what.apply(part);
      if (percent != null) {
        sum += percent * part.chips();
        chips += part.chips();
      }
    }
    return chips == 0 ? null : sum / chips;
  }

  private static @Nullable Long sum(
      Collection<AcceleratorUse> parts, Function<AcceleratorUse, @Nullable Long> what) {
    Long sum = null;
    for (AcceleratorUse part : parts) {
      Long bytes = what.apply(part);
      if (bytes != null) {
        sum = sum == null ? bytes : sum + bytes;
      }
    }
    return sum;
  }
}
