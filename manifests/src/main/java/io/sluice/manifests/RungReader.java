// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.quota.Rung;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads one priority of a ComputeClass. */
final class RungReader {
  private static final int RESERVATIONS_MAX = 64;

  /** Longer than this no flex-start capacity is had. */
  private static final Duration FLEX_START_RUN_MAX = Duration.ofDays(7);

  private static final int COUNT_MAX = 1_000_000;
  private static final String SPECIFIC = "Specific";
  private static final List<String> AFFINITIES = List.of(SPECIFIC, "AnyBestEffort", "None");

  private final ObjectCursor cursor;
  private final ReadingTerms terms;
  private final TreeMap<String, List<String>> selector = new TreeMap<>();

  private RungReader(ObjectCursor cursor, ReadingTerms terms) {
    this.cursor = cursor;
    this.terms = terms;
  }

  /**
   * The rung, on the terms of its capacity type.
   *
   * @param defaultZones of a priority that names none
   */
  static @Nullable Rung read(ObjectCursor cursor, List<String> defaultZones, ReadingTerms terms) {
    return new RungReader(cursor, terms).read(defaultZones);
  }

  private Rung read(List<String> defaultZones) {
    KeptFields kept = new KeptFields(cursor.violations());
    kept.keep(
        cursor,
        "flexStart",
        "gpu",
        "location",
        "machineFamily",
        "machineType",
        "maxPodsPerNode",
        "maxRunDurationSeconds",
        "minCores",
        "minMemoryGb",
        "placement",
        "reservations",
        "spot",
        "storage",
        "tpu");
    cursor.refuseAs(
        "nodepools", "is not supported: say what the nodes are and on what terms they are had");
    Integer maxRunSeconds = cursor.whole("maxRunDurationSeconds", 1, Integer.MAX_VALUE);
    select(NodeLabels.MACHINE_FAMILY, cursor.text("machineFamily", Names::requireLabelValue));
    select(NodeLabels.MACHINE_TYPE, cursor.text("machineType", Names::requireLabelValue));
    List<String> zones = ComputeClassReader.zones(cursor);
    if (!zones.isEmpty() || !defaultZones.isEmpty()) {
      selector.put(NodeLabels.ZONE, zones.isEmpty() ? defaultZones : zones);
    }
    readGpu();
    Rung.Slices slices = readTpu();
    CapacityType type = readCapacityType();
    cursor.end();
    return new Rung(
        type, selector, slices, Rung.Terms.of(type), maxRun(type, maxRunSeconds), kept.kept());
  }

  private @Nullable Duration maxRun(CapacityType type, @Nullable Integer seconds) {
    boolean flexStart = type == CapacityType.FLEX_START;
    if (seconds == null) {
      return flexStart ? FLEX_START_RUN_MAX : null;
    }
    Duration maxRun = Duration.ofSeconds(seconds);
    if (flexStart && maxRun.compareTo(FLEX_START_RUN_MAX) > 0) {
      cursor.refuse(
          "maxRunDurationSeconds",
          "must be at most %d with flexStart, 7 days".formatted(FLEX_START_RUN_MAX.toSeconds()));
    }
    return maxRun;
  }

  private void select(String label, @Nullable String value) {
    if (value != null) {
      selector.put(label, List.of(value));
    }
  }

  private void readGpu() {
    ObjectCursor gpu = cursor.object("gpu", "a priority's gpu");
    if (gpu != null) {
      select(NodeLabels.GPU_TYPE, gpu.text("type", Names::requireLabelValue));
      gpu.ignore("count", "driverVersion");
      gpu.end();
    }
  }

  private Rung.@Nullable Slices readTpu() {
    ObjectCursor tpu = cursor.object("tpu", "a priority's tpu");
    if (tpu == null) {
      return null;
    }
    String label = tpu.requiredText("type", Names::requireLabelValue);
    tpu.require("count");
    int count = tpu.whole("count", 1, COUNT_MAX, 1);
    SliceTopology topology = AcceleratorReader.topology(tpu);
    tpu.end();
    AcceleratorType type = terms.catalogue().labelled(label);
    if (type == null && !label.isEmpty() && !terms.trusting()) {
      List<String> known =
          terms.catalogue().types().stream().map(AcceleratorType::gkeLabel).toList();
      tpu.refuse("type", "is no accelerator: one of " + String.join(", ", known));
    }
    if (type == null || topology == null) {
      return null;
    }
    boolean offered =
        terms.trusting()
            || type.machineTypes().stream()
                .anyMatch(machine -> machine.chipsPerHost() == count && machine.offers(topology));
    if (!offered) {
      tpu.refuse("topology", "is not to be had with " + count + " chips a node");
      return null;
    }
    select(NodeLabels.TPU_TYPE, label);
    select(NodeLabels.TPU_TOPOLOGY, topology.toString());
    return new Rung.Slices(type.name(), topology, count);
  }

  private CapacityType readCapacityType() {
    List<CapacityType> types = new ArrayList<>();
    if (Boolean.TRUE.equals(cursor.flag("spot"))) {
      types.add(CapacityType.SPOT);
    }
    ObjectCursor flexStart = cursor.object("flexStart", "a priority's flexStart");
    if (flexStart != null) {
      if (Boolean.TRUE.equals(flexStart.flag("enabled"))) {
        types.add(CapacityType.FLEX_START);
      }
      flexStart.ignore("nodeRecycling");
      flexStart.end();
    }
    ObjectCursor reservations = cursor.object("reservations", "a priority's reservations");
    if (reservations != null && readReservations(reservations)) {
      types.add(CapacityType.RESERVATION);
    }
    if (types.size() > 1) {
      cursor
          .violations()
          .add(
              cursor.path(),
              "",
              "must be of one capacity type, and is "
                  + String.join(" and ", types.stream().map(CapacityType::word).toList()));
    }
    return types.isEmpty() ? CapacityType.ON_DEMAND : types.get(0);
  }

  /** Whether reservations are meant. */
  private boolean readReservations(ObjectCursor reservations) {
    reservations.require("affinity");
    String affinity = reservations.word("affinity", AFFINITIES, word -> word, SPECIFIC);
    List<String> names =
        reservations.objects(
            "specific", RESERVATIONS_MAX, "a reservation", RungReader::reservation);
    if (affinity.equals("AnyBestEffort")) {
      reservations.refuse(
          "affinity", "is not supported: name the reservations with affinity Specific");
    } else if (affinity.equals(SPECIFIC)) {
      reservations.requireEntries("specific");
      selector.put(NodeLabels.RESERVATION, names);
    } else if (reservations.hasEntries("specific")) {
      reservations.refuse("specific", "must not be there beside affinity None");
    }
    reservations.end();
    return affinity.equals(SPECIFIC);
  }

  private static @Nullable String reservation(ObjectCursor entry) {
    String name = entry.requiredText("name", RungReader::requireReservation);
    entry.ignore("project");
    entry.refuseUnsupported("reservationBlock");
    entry.end();
    return name;
  }

  private static String requireReservation(String name) {
    if (name.isEmpty()) {
      throw new InvalidValueException("must name a reservation");
    }
    return Names.requireLabelValue(name);
  }
}
