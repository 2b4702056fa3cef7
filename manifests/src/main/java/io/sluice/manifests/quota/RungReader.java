// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.GpuType;
import io.sluice.computeclasses.MachineFamily;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.manifests.field.AcceleratorReader;
import io.sluice.manifests.field.KeptFields;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.quota.Rung;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads one priority of a ComputeClass. */
final class RungReader {
  private static final int RESERVATIONS_MAX = 64;

  /** Longer than this no flex-start capacity is had. */
  private static final Duration FLEX_START_RUN_MAX = Duration.ofDays(7);

  private static final int COUNT_MAX = 1_000_000;
  private static final int NODE_POOLS_MAX = 1000;
  private static final String SPECIFIC = "Specific";
  private static final String ANY = "AnyBestEffort";
  private static final String NONE = "None";
  private static final List<String> AFFINITIES = List.of(SPECIFIC, ANY, NONE);

  private final ObjectCursor cursor;
  private final ReadingTerms terms;
  private final TreeMap<String, List<String>> selector = new TreeMap<>();
  private final EnumSet<CapacityType> alsoOf = EnumSet.noneOf(CapacityType.class);

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
        "nodepools",
        "placement",
        "reservations",
        "spot",
        "storage",
        "tpu");
    Integer maxRunSeconds = cursor.whole("maxRunDurationSeconds", 1, Integer.MAX_VALUE);
    readMachines();
    List<String> zones = ComputeClassReader.zones(cursor);
    if (!zones.isEmpty() || !defaultZones.isEmpty()) {
      selector.put(NodeLabels.ZONE, zones.isEmpty() ? defaultZones : zones);
    }
    readGpu();
    Rung.Slices slices = readTpu();
    boolean pools = readNodePools();
    CapacityType type = readCapacityType();
    if (pools && type == null) {
      alsoOf.addAll(List.of(CapacityType.values()));
    }
    cursor.end();
    CapacityType main = type == null ? CapacityType.ON_DEMAND : type;
    alsoOf.remove(main);
    return new Rung(
        main,
        selector,
        slices,
        Rung.Terms.of(alsoOf.contains(CapacityType.ON_DEMAND) ? CapacityType.ON_DEMAND : main),
        maxRun(main, maxRunSeconds),
        kept.kept(),
        List.copyOf(alsoOf));
  }

  /** Pools that there are, on whatever terms; what their nodes are is not said besides. */
  private boolean readNodePools() {
    List<String> pools = cursor.texts("nodepools", NODE_POOLS_MAX, RungReader::requirePool);
    if (cursor.has("nodepools")) {
      cursor.requireEntries("nodepools");
      for (String field : List.of("machineFamily", "machineType", "minCores", "minMemoryGb")) {
        if (cursor.has(field)) {
          cursor.refuse(field, "must not be there beside nodepools");
        }
      }
      selector.put(NodeLabels.NODE_POOL, pools);
    }
    return !pools.isEmpty();
  }

  private static String requirePool(String name) {
    if (name.isEmpty()) {
      throw new InvalidValueException("must name a node pool");
    }
    return Names.requireLabelValue(name);
  }

  /**
   * The machine, or the least that it must have. A least means the machines of the catalogue that
   * have so much; without a family, of any family that it knows.
   */
  private void readMachines() {
    String familyName = cursor.text("machineFamily", Names::requireLabelValue);
    String machineType = cursor.text("machineType", Names::requireLabelValue);
    Integer minCores = cursor.whole("minCores", 0, COUNT_MAX);
    Integer minMemoryGb = cursor.whole("minMemoryGb", 0, COUNT_MAX);
    select(NodeLabels.MACHINE_FAMILY, familyName);
    select(NodeLabels.MACHINE_TYPE, machineType);
    if (machineType != null || (minCores == null && minMemoryGb == null)) {
      return;
    }
    List<String> large = new ArrayList<>();
    boolean known = false;
    for (MachineFamily family : terms.catalogue().families()) {
      if (familyName == null || familyName.equals(family.name())) {
        known = true;
        large.addAll(family.machinesWith(minCores, minMemoryGb));
      }
    }
    if (known && large.isEmpty() && !terms.trusting()) {
      cursor.refuse(
          minCores == null ? "minMemoryGb" : "minCores",
          "is more than any machine of "
              + (familyName == null ? "the catalogue" : "family " + familyName)
              + " has");
    } else if (known) {
      selector.put(NodeLabels.MACHINE_TYPE, large);
    }
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
      String type = gpu.text("type", Names::requireLabelValue);
      select(NodeLabels.GPU_TYPE, type);
      Integer count = gpu.whole("count", 1, COUNT_MAX);
      gpu.ignore("driverVersion");
      gpu.end();
      if (count != null) {
        select(NodeLabels.ACCELERATOR_COUNT, count.toString());
      }
      readGpuMachines(gpu, type, count);
    }
  }

  /** GPUs that come with their machine: a count means the machines that have so many. */
  private void readGpuMachines(ObjectCursor gpu, @Nullable String type, @Nullable Integer count) {
    GpuType known = type == null ? null : terms.catalogue().gpu(type);
    if (known == null || count == null || !known.gkeLabel().equals(type)) {
      return;
    }
    List<String> machines = known.machinesWith(count);
    if (machines.isEmpty() && !terms.trusting()) {
      List<String> counts =
          known.machines().stream().map(machine -> Integer.toString(machine.gpus())).toList();
      gpu.refuse(
          "count", "is had by no machine with " + type + ": one of " + String.join(", ", counts));
    } else if (!machines.isEmpty() && !selector.containsKey(NodeLabels.MACHINE_TYPE)) {
      selector.put(NodeLabels.MACHINE_TYPE, machines);
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
      tpu.refuse("type", "is not an accelerator; allowed: " + String.join(", ", known));
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

  /** The type that is said; null if none is. */
  private @Nullable CapacityType readCapacityType() {
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
    return types.isEmpty() ? null : types.get(0);
  }

  /** Whether reservations are meant. */
  private boolean readReservations(ObjectCursor reservations) {
    reservations.require("affinity");
    String affinity = reservations.word("affinity", AFFINITIES, word -> word, SPECIFIC);
    List<String> names =
        reservations.objects("specific", RESERVATIONS_MAX, "a reservation", this::reservation);
    refuseUnlikeBlocks(reservations);
    if (affinity.equals(SPECIFIC)) {
      reservations.requireEntries("specific");
      selector.put(NodeLabels.RESERVATION, names);
    } else if (reservations.hasEntries("specific")) {
      reservations.refuse("specific", "must not be there beside affinity " + affinity);
    }
    reservations.end();
    if (affinity.equals(ANY)) {
      alsoOf.add(CapacityType.ON_DEMAND);
    }
    return !affinity.equals(NONE);
  }

  private @Nullable String reservation(ObjectCursor entry) {
    String name = entry.requiredText("name", RungReader::requireReservation);
    entry.ignore("project");
    ObjectCursor block = entry.object("reservationBlock", "a reservation's block");
    if (block != null) {
      also(NodeLabels.BLOCK, block.requiredText("name", Names::requireLabelValue));
      ObjectCursor part = block.object("reservationSubBlock", "a block's sub-block");
      if (part != null) {
        also(NodeLabels.SUB_BLOCK, part.requiredText("name", Names::requireLabelValue));
        part.end();
      }
      block.end();
    }
    entry.end();
    return name;
  }

  /** A label means the same of all reservations of a rung. */
  private static void refuseUnlikeBlocks(ObjectCursor reservations) {
    long blocks =
        reservations.items("specific", RESERVATIONS_MAX).stream()
            .filter(entry -> entry.hasNonNull("reservationBlock"))
            .count();
    if (blocks > 0 && blocks < reservations.items("specific", RESERVATIONS_MAX).size()) {
      reservations.refuse(
          "specific",
          "must name the blocks of all reservations or of none: make priorities of their own");
    }
  }

  /** Another value that a label may have. */
  private void also(String label, String value) {
    List<String> values = new ArrayList<>(selector.getOrDefault(label, List.of()));
    values.add(value);
    selector.put(label, values);
  }

  private static String requireReservation(String name) {
    if (name.isEmpty()) {
      throw new InvalidValueException("must name a reservation");
    }
    return Names.requireLabelValue(name);
  }
}
