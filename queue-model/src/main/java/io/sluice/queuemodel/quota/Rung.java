// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One step of a ladder: capacity of one type on chosen hardware.
 *
 * @param selector the values that a node label may have, by its key; a flavor that does not name
 *     the label is not excluded by it
 * @param slices null: slices of any kind, or none
 * @param maxRun after which the provider takes the capacity back; null: it does not
 * @param fields of the priority as they were written, by name, each as JSON
 * @param alsoOf other capacity types that will do as well, without order
 */
public record Rung(
    CapacityType capacityType,
    SortedMap<String, List<String>> selector,
    @Nullable Slices slices,
    Terms terms,
    @Nullable Duration maxRun,
    Labels fields,
    List<CapacityType> alsoOf) {
  public Rung {
    selector = Collections.unmodifiableSortedMap(new TreeMap<>(selector));
    alsoOf = alsoOf.stream().sorted().distinct().toList();
  }

  /** A rung of one capacity type. */
  public Rung(
      CapacityType capacityType,
      SortedMap<String, List<String>> selector,
      @Nullable Slices slices,
      Terms terms,
      @Nullable Duration maxRun,
      Labels fields) {
    this(capacityType, selector, slices, terms, maxRun, fields, List.of());
  }

  /** Whether capacity of a type will do. */
  public boolean isOf(CapacityType type) {
    return type == capacityType || alsoOf.contains(type);
  }

  /** The same on other terms. */
  public Rung on(Terms other) {
    return new Rung(capacityType, selector, slices, other, maxRun, fields, alsoOf);
  }

  /** The same, meaning other hardware. */
  public Rung meaning(SortedMap<String, List<String>> other, @Nullable Slices otherSlices) {
    return new Rung(capacityType, other, otherSlices, terms, maxRun, fields, alsoOf);
  }

  /**
   * The kind of slices that are meant.
   *
   * @param type the generation's short name, as {@code v6e}
   * @param chipsPerHost with the topology it tells the machine type
   */
  public record Slices(String type, SliceTopology topology, int chipsPerHost) {}

  /**
   * The deadline, cool-down, longest run and price of a rung.
   *
   * @param deadline how long a job waits for its capacity while it has quota for it; null: however
   *     long it takes
   * @param coolDown how long it is left alone once it has closed
   * @param pricePerChipHour in whatever currency; null: not known
   */
  public record Terms(
      @Nullable Duration deadline, Duration coolDown, @Nullable BigDecimal pricePerChipHour) {
    public static final Duration COOL_DOWN = Duration.ofMinutes(10);
    private static final Duration SPOT_DEADLINE = Duration.ofMinutes(5);
    private static final Duration FLEX_START_DEADLINE = Duration.ofHours(1);
    private static final Duration ON_DEMAND_DEADLINE = Duration.ofMinutes(10);

    /** What counts where nothing is said. */
    public static Terms of(CapacityType capacityType) {
      return new Terms(deadlineOf(capacityType), COOL_DOWN, null);
    }

    private static @Nullable Duration deadlineOf(CapacityType capacityType) {
      return switch (capacityType) {
        case SPOT -> SPOT_DEADLINE;
        case FLEX_START -> FLEX_START_DEADLINE;
        case ON_DEMAND -> ON_DEMAND_DEADLINE;
        case RESERVATION -> null;
      };
    }
  }
}
