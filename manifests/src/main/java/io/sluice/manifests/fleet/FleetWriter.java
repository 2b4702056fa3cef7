// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.manifests.field.Schema;
import io.sluice.manifests.job.JobWriter;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.queuemodel.quota.Topology;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes {@code kind: Fleet}: in the short form if it is sufficient, else expanded. */
public final class FleetWriter {
  private FleetWriter() {}

  /**
   * The fleet's manifest: short if it says all when it is read again, and expanded otherwise.
   *
   * @param reader reads what is written here
   */
  public static ObjectNode write(ObjectMeta meta, Fleet fleet, Function<JsonNode, Fleet> reader) {
    ObjectNode brief = writeShort(meta, fleet);
    return brief != null && saysAll(brief, fleet, reader) ? brief : writeExpanded(meta, fleet);
  }

  /** Reading it back is the one way to be sure. */
  private static boolean saysAll(
      ObjectNode written, Fleet fleet, Function<JsonNode, Fleet> reader) {
    try {
      return reader.apply(written).equals(fleet);
    } catch (InvalidManifestException doesNotFitTheForm) {
      return false;
    }
  }

  /** Without what the reader adds; null if a slice is of no known machines. */
  private static @Nullable ObjectNode writeShort(ObjectMeta meta, Fleet fleet) {
    ObjectNode top = FieldWriter.manifest(Schema.OURS, Schema.FLEET, meta);
    ObjectNode spec = top.putObject("spec");
    spec.put("executor", fleet.executor().word());
    Set<String> sliced = new HashSet<>();
    ArrayNode slices = spec.putArray("slices");
    SortedSet<String> missing = fleet.missingHosts();
    for (Slice slice : fleet.slices()) {
      String machineType =
          JobWriter.machineType(slice.acceleratorType(), slice.topology(), slice.hosts().size());
      if (machineType == null) {
        return null;
      }
      Labels labels = FleetLabels.without(slice.labels(), FleetLabels.OF_SLICE);
      ObjectNode entry = slices.addObject();
      putSlice(entry, slice, labels, machineType);
      putForming(entry, slice, missing);
      sliced.addAll(slice.hosts());
    }
    removeIfEmpty(spec, "slices");
    ArrayNode hosts = spec.putArray("hosts");
    for (Host host : fleet.hosts()) {
      if (!sliced.contains(host.name())) {
        Labels labels =
            FleetLabels.without(host.labels(), new TreeSet<>(Set.of(Topology.HOSTNAME)));
        putHost(hosts.addObject(), host, labels);
      }
    }
    removeIfEmpty(spec, "hosts");
    putSupplies(spec, fleet);
    return top;
  }

  private static ObjectNode writeExpanded(ObjectMeta meta, Fleet fleet) {
    ObjectNode top = FieldWriter.manifest(Schema.OURS, Schema.FLEET, meta);
    ObjectNode spec = top.putObject("spec");
    spec.put("executor", fleet.executor().word()).put("expanded", true);
    ArrayNode slices = spec.putArray("slices");
    SortedSet<String> missing = fleet.missingHosts();
    for (Slice slice : fleet.slices()) {
      ObjectNode entry = slices.addObject();
      putSlice(entry, slice, slice.labels(), null);
      putForming(entry, slice, missing);
    }
    removeIfEmpty(spec, "slices");
    ArrayNode hosts = spec.putArray("hosts");
    fleet.hosts().forEach(host -> putHost(hosts.addObject(), host, host.labels()));
    putSupplies(spec, fleet);
    return top;
  }

  private static void putSupplies(ObjectNode spec, Fleet fleet) {
    if (!fleet.unreachedClusters().isEmpty()) {
      ArrayNode unreached = spec.putArray("unreachedClusters");
      fleet.unreachedClusters().forEach(unreached::add);
    }
    ArrayNode list = spec.putArray("capacity");
    for (Supply supply : fleet.supplies()) {
      Duration grantAfter = supply.grantAfter();
      list.addObject()
          .put("capacityType", supply.capacityType().word())
          .put("provisioned", supply.provisioned())
          .put(
              "grantAfter",
              grantAfter == null ? FleetReader.NEVER : DurationNotation.format(grantAfter))
          .put("outOfStock", supply.outOfStock());
    }
    removeIfEmpty(spec, "capacity");
  }

  private static void removeIfEmpty(ObjectNode owner, String field) {
    if (owner.path(field).isEmpty()) {
      owner.remove(field);
    }
  }

  private static void putSlice(
      ObjectNode entry, Slice slice, Labels labels, @Nullable String machineType) {
    entry.put("name", slice.name()).put("type", slice.acceleratorType());
    entry.put("topology", slice.topology().toString());
    FieldWriter.putText(entry, "machineType", machineType);
    entry.put("capacityType", slice.capacityType().word());
    if (machineType != null) {
      FieldWriter.putText(entry, "reservation", slice.labels().get(NodeLabels.RESERVATION));
    }
    FieldWriter.putLabels(entry, "labels", labels);
    FieldWriter.putTexts(entry, "hosts", slice.hosts());
  }

  private static void putForming(ObjectNode entry, Slice slice, SortedSet<String> missing) {
    FieldWriter.putText(entry, "block", slice.forming().block());
    List<SliceTopology> parts = slice.forming().parts();
    if (!parts.isEmpty()) {
      FieldWriter.putTexts(entry, "parts", parts.stream().map(SliceTopology::toString).toList());
    }
    if (!missing.isEmpty()) {
      List<String> its = slice.hosts().stream().filter(host -> missing.contains(host)).toList();
      if (!its.isEmpty()) {
        FieldWriter.putTexts(entry, "missing", its);
      }
    }
  }

  private static void putHost(ObjectNode entry, Host host, Labels labels) {
    entry.put("name", host.name());
    FieldWriter.putLabels(entry, "labels", labels);
    FieldWriter.putResources(entry, "capacity", host.capacity());
    FieldWriter.putTaints(entry, "taints", host.taints());
  }
}
