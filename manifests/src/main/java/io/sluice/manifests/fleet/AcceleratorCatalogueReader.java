// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.AcceleratorType.OtherNames;
import io.sluice.computeclasses.GpuType;
import io.sluice.computeclasses.GpuType.GpuMachine;
import io.sluice.computeclasses.HostGrid;
import io.sluice.computeclasses.MachineFamily;
import io.sluice.computeclasses.MachineFamily.Series;
import io.sluice.computeclasses.MachineType;
import io.sluice.manifests.field.MetadataReader;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.ScalarReader;
import io.sluice.manifests.field.Schema;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code kind: AcceleratorCatalogue}: additional types, machines and topologies. What is
 * there it cannot change.
 */
public final class AcceleratorCatalogueReader {
  public static final String KIND = "AcceleratorCatalogue";

  private static final int ENTRIES_MAX = 100;
  private static final int TOPOLOGIES_MAX = 1000;
  private static final int PER_HOST_MAX = 1024;
  private static final int CORES_MAX = 10_000;

  /** As many chips as hosts may be in a fleet, each with the most chips. */
  private static final long CHIPS_MAX = (long) FleetRoster.HOSTS_MAX * PER_HOST_MAX;

  private AcceleratorCatalogue catalogue;

  private AcceleratorCatalogueReader(AcceleratorCatalogue before) {
    this.catalogue = before;
  }

  /** The catalogue with what is added, of use only if the cursor's violations are empty then. */
  public static AcceleratorCatalogue read(ObjectCursor top, AcceleratorCatalogue before) {
    if (!Schema.OURS.equals(top.requiredText("apiVersion", written -> written))) {
      top.refuse("apiVersion", "must be " + Schema.OURS + " for an " + KIND);
    }
    top.ignore("kind");
    MetadataReader.global(top, KIND, "accelerators");
    ObjectCursor spec = top.objectOrEmpty("spec", "an AcceleratorCatalogue's spec");
    AcceleratorCatalogueReader reader = new AcceleratorCatalogueReader(before);
    spec.objects("tpus", ENTRIES_MAX, "a type of TPUs", reader::tpu);
    spec.objects("gpus", ENTRIES_MAX, "a type of GPUs", reader::gpu);
    spec.objects("machineFamilies", ENTRIES_MAX, "a machine family", reader::family);
    if (!spec.hasEntries("tpus") && !spec.hasEntries("gpus")) {
      spec.requireEntries("machineFamilies");
    }
    spec.end();
    top.end();
    return reader.catalogue;
  }

  /** One entry of {@code tpus}; what it adds is kept. */
  private @Nullable Void tpu(ObjectCursor cursor) {
    int before = cursor.violations().count();
    String name = cursor.requiredText("name", Names::requireLabel);
    AcceleratorType known = catalogue.find(name);
    String label = cursor.text("nodeLabel", Names::requireLabelValue);
    String podTypePrefix = cursor.text("podTypePrefix", Names::requireLabel);
    Integer cores = cursor.whole("coresPerChip", 1, PER_HOST_MAX);
    String ray = cursor.text("rayType", AcceleratorCatalogueReader::requireRayType);
    String pathways = cursor.text("pathwaysPrefix", Names::requireLabel);
    cursor.requireEntries("machines");
    AcceleratorType type =
        known != null
            ? known
            : new AcceleratorType(
                name,
                label == null ? name : label,
                podTypePrefix == null ? name : podTypePrefix,
                cores == null ? 1 : cores,
                new OtherNames(ray, pathways),
                List.of());
    if (known != null) {
      for (String field :
          List.of("nodeLabel", "podTypePrefix", "coresPerChip", "rayType", "pathwaysPrefix")) {
        if (cursor.has(field)) {
          cursor.refuse(
              field, "must not be there: " + name + " is in the catalogue, and cannot be changed");
        }
      }
    } else if (cursor.violations().count() == before) {
      add(cursor, "name", () -> catalogue.with(type));
    }
    cursor.objects("machines", ENTRIES_MAX, "a machine", entry -> machine(entry, type.name()));
    cursor.end();
    return null;
  }

  private @Nullable Void machine(ObjectCursor cursor, String typeName) {
    int before = cursor.violations().count();
    String name = cursor.requiredText("name", Names::requireLabelValue);
    Integer chips = cursor.whole("chipsPerHost", 1, PER_HOST_MAX);
    AcceleratorType type = catalogue.find(typeName);
    MachineType known = type == null ? null : type.machineNamed(name);
    if (known == null) {
      cursor.require("chipsPerHost");
    } else if (chips != null) {
      cursor.refuse(
          "chipsPerHost",
          "must not be there: " + name + " has " + known.chipsPerHost() + " of old");
    }
    int chipsPerHost = known != null ? known.chipsPerHost() : chips == null ? 1 : chips;
    cursor.requireEntries("topologies");
    List<SliceTopology> topologies = topologies(cursor, chipsPerHost, known);
    cursor.end();
    if (type != null && cursor.violations().count() == before) {
      MachineType machine =
          known == null ? new MachineType(name, chipsPerHost, topologies) : known.with(topologies);
      add(cursor, "name", () -> catalogue.with(type, machine));
    }
    return null;
  }

  private static List<SliceTopology> topologies(
      ObjectCursor cursor, int chipsPerHost, @Nullable MachineType known) {
    List<SliceTopology> topologies = new ArrayList<>();
    cursor.texts(
        "topologies",
        TOPOLOGIES_MAX,
        written -> {
          SliceTopology topology = SliceTopology.parse(written);
          if (topology.chips() > CHIPS_MAX) {
            throw new InvalidValueException("has too many chips: at most " + CHIPS_MAX);
          }
          if (topology.chips() % chipsPerHost != 0) {
            throw new InvalidValueException(
                "has " + topology.chips() + " chips, which are no whole hosts of " + chipsPerHost);
          }
          HostGrid.of(topology, chipsPerHost);
          if (topologies.contains(topology) || (known != null && known.offers(topology))) {
            throw new InvalidValueException("is there already");
          }
          topologies.add(topology);
          return written;
        });
    return topologies;
  }

  private @Nullable Void gpu(ObjectCursor cursor) {
    int before = cursor.violations().count();
    String name = cursor.requiredText("name", Names::requireLabel);
    String label = cursor.requiredText("nodeLabel", Names::requireLabelValue);
    cursor.requireEntries("machines");
    List<GpuMachine> machines =
        cursor.objects(
            "machines", ENTRIES_MAX, "a machine", AcceleratorCatalogueReader::gpuMachine);
    cursor.end();
    if (cursor.violations().count() == before) {
      add(cursor, "name", () -> catalogue.with(new GpuType(name, label, machines)));
    }
    return null;
  }

  private static GpuMachine gpuMachine(ObjectCursor cursor) {
    String name = cursor.requiredText("name", Names::requireLabelValue);
    cursor.require("gpus");
    int gpus = cursor.whole("gpus", 1, PER_HOST_MAX, 1);
    cursor.end();
    return new GpuMachine(name, gpus);
  }

  private @Nullable Void family(ObjectCursor cursor) {
    int before = cursor.violations().count();
    String name = cursor.requiredText("name", Names::requireLabel);
    cursor.requireEntries("series");
    List<Series> series =
        cursor.objects("series", ENTRIES_MAX, "a series", AcceleratorCatalogueReader::series);
    cursor.end();
    if (cursor.violations().count() == before) {
      add(cursor, "name", () -> catalogue.with(new MachineFamily(name, series)));
    }
    return null;
  }

  private static Series series(ObjectCursor cursor) {
    String name = cursor.requiredText("name", Names::requireLabel);
    cursor.require("memoryGbPerCore");
    BigDecimal memory = cursor.decimal("memoryGbPerCore");
    if (memory != null && memory.signum() <= 0) {
      cursor.refuse("memoryGbPerCore", "must be more than 0");
    }
    cursor.requireEntries("cores");
    List<Integer> cores = new ArrayList<>();
    List<JsonNode> written = cursor.items("cores", ENTRIES_MAX);
    for (int at = 0; at < written.size(); at++) {
      Long number =
          new ScalarReader(cursor.violations())
              .whole(written.get(at), cursor.path("cores").index(at), 1, CORES_MAX);
      if (number != null) {
        cores.add(Math.toIntExact(number));
      }
    }
    cursor.end();
    return new Series(name, memory == null ? BigDecimal.ONE : memory, cores);
  }

  private static String requireRayType(String written) {
    if (!written.startsWith(AcceleratorType.RAY_PREFIX)
        || written.length() == AcceleratorType.RAY_PREFIX.length()) {
      throw new InvalidValueException("must begin with " + AcceleratorType.RAY_PREFIX);
    }
    return Names.requireLabelValue(written);
  }

  /** What makes another catalogue. */
  private interface Addition {
    AcceleratorCatalogue make();
  }

  private void add(ObjectCursor cursor, String field, Addition addition) {
    try {
      catalogue = addition.make();
    } catch (InvalidValueException twice) {
      cursor.refuse(field, twice);
    }
  }
}
