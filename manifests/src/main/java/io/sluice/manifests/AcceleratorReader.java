// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.MachineType;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.SliceRange;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads which slices are meant, by {@code type}, {@code topology} and {@code machineType}; a Job's
 * {@code accelerator} and a Fleet's slices say it with the same fields.
 */
final class AcceleratorReader {
  private static final int SLICES_MAX = 10_000;
  private static final int GROW_SECONDS = Math.toIntExact(SliceRange.MIN_GROW.toSeconds());
  private static final int GROW_SECONDS_MAX = 30 * 24 * 3600;

  private AcceleratorReader() {}

  /**
   * Slices of which kind.
   *
   * @param hosts of each slice
   */
  record SliceKind(AcceleratorType type, SliceTopology topology, int hosts) {
    long chipsPerHost() {
      return topology.chips() / hosts;
    }
  }

  /** What the three fields say; null if it is not right. */
  static @Nullable SliceKind sliceKind(ObjectCursor cursor) {
    AcceleratorType type = type(cursor);
    SliceTopology topology = topology(cursor);
    String machineType = cursor.text("machineType");
    if (type == null || topology == null) {
      return null;
    }
    List<String> machines = type.machineTypes().stream().map(MachineType::name).toList();
    if (machineType != null && !machines.contains(machineType)) {
      cursor.refuse(
          "machineType",
          "is no machine type of " + type.name() + ": one of " + String.join(", ", machines));
      return null;
    }
    try {
      return new SliceKind(type, topology, type.hostsPerSlice(topology, machineType));
    } catch (InvalidValueException problem) {
      cursor.refuse("topology", problem);
      return null;
    }
  }

  /** How many slices: a number, or the least and the most; null if it is not right. */
  static @Nullable SliceRange slices(ObjectCursor cursor) {
    JsonNode written = cursor.raw("slices");
    if (written == null || !written.isObject()) {
      return SliceRange.exactly(cursor.whole("slices", 1, SLICES_MAX, 1));
    }
    ObjectCursor range = cursor.objectOrEmpty("slices", "the slices of a Job's accelerator");
    int before = range.violations().count();
    range.require("min");
    range.require("max");
    int min = range.whole("min", 1, SLICES_MAX, 1);
    int max = range.whole("max", 1, SLICES_MAX, min);
    int minGrow = range.whole("minGrowSeconds", 0, GROW_SECONDS_MAX, GROW_SECONDS);
    if (min > max && range.violations().count() == before) {
      range.refuse("min", "must not be more than max");
    }
    range.end();
    return range.violations().count() == before
        ? new SliceRange(min, max, Duration.ofSeconds(minGrow))
        : null;
  }

  static @Nullable AcceleratorType type(ObjectCursor cursor) {
    cursor.require("type");
    return read(cursor, "type", AcceleratorCatalogue::type);
  }

  static @Nullable SliceTopology topology(ObjectCursor cursor) {
    cursor.require("topology");
    return read(cursor, "topology", SliceTopology::parse);
  }

  /** What can be made of a field's text. */
  private interface Parser<T> {
    T parse(String text);
  }

  private static <T> @Nullable T read(ObjectCursor cursor, String field, Parser<T> parser) {
    String text = cursor.text(field);
    try {
      return text == null ? null : parser.parse(text);
    } catch (InvalidValueException problem) {
      cursor.refuse(field, problem);
      return null;
    }
  }
}
