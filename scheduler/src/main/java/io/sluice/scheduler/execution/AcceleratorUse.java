// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import java.time.Instant;
import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How much of accelerators is used, as what exposes their metrics said last. What nobody said is
 * null.
 *
 * @param chips of which anything is known
 * @param dutyCycle percent of the time in which they computed
 * @param tensorcoreUtilization percent of what their TensorCores can do
 * @param hbmUsedBytes of all of them
 * @param hbmTotalBytes of all of them
 * @param memoryBandwidthUtilization percent of what their memory can move
 * @param at when the oldest of it was read
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
   * Of all of them together: percentages are means over the chips of which they are known.
   *
   * @return null if there are none
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
