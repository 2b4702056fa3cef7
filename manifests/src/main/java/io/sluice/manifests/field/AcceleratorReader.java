// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.AcceleratorType.OtherNames;
import io.sluice.computeclasses.MachineType;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.SliceRange;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the kind of a slice from {@code type}, {@code topology}, {@code machineType} and {@code
 * chipsPerHost}, for a Job's {@code accelerator} and a Fleet's slices.
 */
public final class AcceleratorReader {
  private static final int SLICES_MAX = 10_000;
  private static final int GROW_SECONDS = Math.toIntExact(SliceRange.MIN_GROW.toSeconds());
  private static final int GROW_SECONDS_MAX = 30 * 24 * 3600;
  private static final int CHIPS_PER_HOST_MAX = 1024;

  private AcceleratorReader() {}

  /**
   * Slices of which kind.
   *
   * @param hosts of each slice
   */
  public record SliceKind(AcceleratorType type, SliceTopology topology, int hosts) {
    public long chipsPerHost() {
      return topology.chips() / hosts;
    }
  }

  /** What the fields say; null if it is not right. */
  public static @Nullable SliceKind sliceKind(ObjectCursor cursor, ReadingTerms terms) {
    AcceleratorType type = type(cursor, terms);
    SliceTopology topology = topology(cursor);
    String machineType = cursor.text("machineType");
    Integer chipsPerHost = cursor.whole("chipsPerHost", 1, CHIPS_PER_HOST_MAX);
    if (type == null || topology == null) {
      return null;
    }
    if (terms.trusting() && chipsPerHost != null) {
      MachineType unknown = new MachineType("", chipsPerHost, List.of(topology));
      return new SliceKind(type, topology, unknown.hosts(topology));
    }
    if (machineType != null && type.machineNamed(machineType) == null) {
      List<String> machines = type.machineTypes().stream().map(MachineType::name).toList();
      cursor.refuse(
          "machineType",
          "is not a machine type of " + type.name() + "; allowed: " + String.join(", ", machines));
      return null;
    }
    try {
      return new SliceKind(
          type, topology, type.machine(topology, machineType, chipsPerHost).hosts(topology));
    } catch (InvalidValueException problem) {
      cursor.refuse("topology", problem);
      return null;
    }
  }

  /** How many slices: a number, or the least and the most; null if it is not right. */
  public static @Nullable SliceRange slices(ObjectCursor cursor) {
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

  /** The type that is named; one without machines if it is not known and taken at its word. */
  public static @Nullable AcceleratorType type(ObjectCursor cursor, ReadingTerms terms) {
    cursor.require("type");
    return read(
        cursor,
        "type",
        name ->
            terms.trusting() && terms.catalogue().find(name) == null
                ? new AcceleratorType(name, name, name, 1, OtherNames.NONE, List.of())
                : terms.catalogue().type(name));
  }

  public static @Nullable SliceTopology topology(ObjectCursor cursor) {
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
