// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.field.AcceleratorReader;
import io.sluice.manifests.field.AcceleratorReader.SliceKind;
import io.sluice.manifests.field.LabelFields;
import io.sluice.manifests.field.MetadataReader;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.field.ScalarReader;
import io.sluice.manifests.field.Schema;
import io.sluice.manifests.field.TaintFields;
import io.sluice.manifests.fleet.FleetLabels.SliceTerms;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Forming;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code kind: Fleet}, in either of two forms. As people write it, slices make their hosts,
 * and slices and hosts carry GKE's labels without being told. With {@code expanded: true}, every
 * host stands under {@code hosts} with all its labels and its capacity, slices name theirs, and
 * nothing is added.
 */
public final class FleetReader {
  public static final String DEFAULT_NAME = "fleet";

  private static final List<ExecutorKind> EXECUTORS = List.of(ExecutorKind.values());
  private static final List<CapacityType> CAPACITY_TYPES = List.of(CapacityType.values());
  static final String NEVER = "never";
  private static final Duration GRANT_AFTER_MAX = Duration.ofDays(365);
  private static final int TAINTS_MAX = 64;
  private static final int CLUSTERS_MAX = 1000;
  private static final int NODE_NAME_LENGTH_MAX = 63;

  private final ObjectCursor spec;
  private final ReadingTerms terms;
  private final FleetRoster roster;

  private FleetReader(ObjectCursor spec, ReadingTerms terms) {
    this.spec = spec;
    this.terms = terms;
    this.roster = new FleetRoster(spec.violations());
  }

  /** The fleet, of use only if the cursor's violations are empty then. */
  public static Manifest.FleetManifest read(ObjectCursor top, ReadingTerms terms) {
    ObjectMeta meta = MetadataReader.global(top, Schema.FLEET, DEFAULT_NAME);
    ObjectCursor spec = top.objectOrEmpty("spec", "a Fleet's spec");
    Fleet fleet = new FleetReader(spec, terms).read();
    spec.end();
    return new Manifest.FleetManifest(meta, fleet);
  }

  private Fleet read() {
    spec.require("executor");
    ExecutorKind executor =
        spec.word("executor", EXECUTORS, ExecutorKind::word, ExecutorKind.LOCAL);
    if (Boolean.TRUE.equals(spec.flag("expanded"))) {
      spec.objects("hosts", FleetRoster.HOSTS_MAX, "a host", this::expandedHost);
      spec.objects("slices", FleetRoster.HOSTS_MAX, "an expanded slice", this::expandedSlice);
    } else {
      spec.objects("slices", FleetRoster.HOSTS_MAX, "a slice", this::slices);
      spec.objects("hosts", FleetRoster.HOSTS_MAX, "a host", this::hosts);
    }
    List<Supply> supplies =
        spec.objects("capacity", CAPACITY_TYPES.size(), "a capacity entry", FleetReader::supply);
    List<String> unreached = spec.texts("unreachedClusters", CLUSTERS_MAX, name -> name);
    if (spec.violations().isEmpty()) {
      try {
        return new Fleet(executor, roster.hosts(), roster.slices(), supplies, unreached);
      } catch (InvalidValueException contradiction) {
        spec.violations()
            .add(spec.path("slices"), spec.path("slices").toString(), text(contradiction));
      }
    }
    return Fleet.EMPTY;
  }

  private static String text(InvalidValueException problem) {
    return "contradict each other: " + problem.getMessage();
  }

  /** One entry of {@code slices}, which may make many. */
  private @Nullable Slice slices(ObjectCursor cursor) {
    int before = cursor.violations().count();
    String name = cursor.requiredText("name", FleetReader::requireNodeName);
    Integer count = cursor.whole("count", 1, FleetRoster.HOSTS_MAX);
    SliceKind kind = AcceleratorReader.sliceKind(cursor, terms);
    SliceTerms terms = new SliceTerms(capacityType(cursor), reservation(cursor));
    Labels labels = labels(cursor, FleetLabels.OF_SLICE);
    List<String> hosts = cursor.texts("hosts", FleetRoster.HOSTS_MAX, FleetReader::requireNodeName);
    Set<String> missing = missing(cursor);
    Forming forming =
        kind == null
            ? Forming.NONE
            : FormingFields.read(cursor, kind.type(), kind.topology(), kind.chipsPerHost());
    cursor.end();
    if (kind == null || cursor.violations().count() > before) {
      return null;
    }
    if (cursor.has("hosts") && (count != null || hosts.size() != kind.hosts())) {
      cursor.refuse(
          "hosts",
          count != null
              ? "must not be there beside count, with which hosts are numbered"
              : "has " + hosts.size() + " entries: a slice of this topology has " + kind.hosts());
      return null;
    }
    int slices = count == null ? 1 : count;
    if (!roster.hasRoom((long) slices * kind.hosts(), cursor, count == null ? "name" : "count")) {
      return null;
    }
    String longest = (count == null ? name : name + "-" + (count - 1)) + "-" + (kind.hosts() - 1);
    if (hosts.isEmpty() && longest.length() > NODE_NAME_LENGTH_MAX) {
      cursor.refuse(
          "name", "is too long: the host " + longest + " would have more than 63 characters");
      return null;
    }
    FleetRoster.Making making =
        new FleetRoster.Making(kind, terms, forming, labels, hosts, missing);
    for (int i = 0; i < slices && !cursor.violations().isFull(); i++) {
      String slice = count == null ? name : name + "-" + i;
      roster.addMade(slice, making, cursor);
    }
    if (!missing.isEmpty() && cursor.violations().count() == before) {
      cursor.refuse("missing", "names " + missing.iterator().next() + ", no host of these slices");
    }
    return null;
  }

  /** Hosts of the slices that are not there; it is taken from as they are found. */
  private static Set<String> missing(ObjectCursor cursor) {
    return new TreeSet<>(
        cursor.texts("missing", FleetRoster.HOSTS_MAX, FleetReader::requireNodeName));
  }

  /** One entry of {@code hosts}, which may make many. */
  private @Nullable Host hosts(ObjectCursor cursor) {
    int before = cursor.violations().count();
    String name = cursor.requiredText("name", FleetReader::requireNodeName);
    Integer count = cursor.whole("count", 1, FleetRoster.HOSTS_MAX);
    Labels labels = labels(cursor, new TreeSet<>(Set.of(Topology.HOSTNAME)));
    ResourceList capacity = capacity(cursor);
    List<Taint> taints = TaintFields.taints(cursor, "taints", TAINTS_MAX);
    cursor.end();
    int hosts = count == null ? 1 : count;
    if (cursor.violations().count() > before
        || !roster.hasRoom(hosts, cursor, count == null ? "name" : "count")) {
      return null;
    }
    for (int i = 0; i < hosts && !cursor.violations().isFull(); i++) {
      String host = count == null ? name : name + "-" + i;
      if (host.length() > NODE_NAME_LENGTH_MAX) {
        cursor.refuse("name", "is too long: " + host + " has more than 63 characters");
        return null;
      }
      roster.addLoose(
          new Host(host, labels.with(FleetLabels.ofHost(host)), capacity, taints), cursor);
    }
    return null;
  }

  private @Nullable Host expandedHost(ObjectCursor cursor) {
    int before = cursor.violations().count();
    String name = cursor.requiredText("name", FleetReader::requireNodeName);
    Labels labels = LabelFields.labels(cursor, "labels", Schema.LABELS_MAX);
    ResourceList capacity = capacity(cursor);
    List<Taint> taints = TaintFields.taints(cursor, "taints", TAINTS_MAX);
    cursor.end();
    if (cursor.violations().count() == before) {
      roster.addLoose(new Host(name, labels, capacity, taints), cursor);
    }
    return null;
  }

  private @Nullable Slice expandedSlice(ObjectCursor cursor) {
    int before = cursor.violations().count();
    String name = cursor.requiredText("name", FleetReader::requireNodeName);
    AcceleratorType type = AcceleratorReader.type(cursor, terms);
    SliceTopology topology = AcceleratorReader.topology(cursor);
    CapacityType capacityType = capacityType(cursor);
    Labels labels = LabelFields.labels(cursor, "labels", Schema.LABELS_MAX);
    cursor.requireEntries("hosts");
    List<String> hosts = cursor.texts("hosts", FleetRoster.HOSTS_MAX, FleetReader::requireNodeName);
    Set<String> missing = missing(cursor);
    if (type == null || topology == null || hosts.isEmpty()) {
      cursor.end();
      return null;
    }
    Forming forming = FormingFields.read(cursor, type, topology, topology.chips() / hosts.size());
    cursor.end();
    if (cursor.violations().count() == before) {
      roster.addExpanded(
          new Slice(name, type.name(), topology, capacityType, labels, hosts, forming),
          missing,
          cursor);
    }
    return null;
  }

  /** How slices of a type come; without more said they are granted at once when sought. */
  private static Supply supply(ObjectCursor cursor) {
    cursor.require("capacityType");
    CapacityType type = capacityType(cursor);
    boolean provisioned = Boolean.TRUE.equals(cursor.flag("provisioned"));
    Duration grantAfter = Duration.ZERO;
    if (NEVER.equals(cursor.scalar("grantAfter"))) {
      grantAfter = null;
    } else {
      Duration said = cursor.duration("grantAfter", Duration.ZERO, GRANT_AFTER_MAX);
      grantAfter = said == null ? grantAfter : said;
    }
    boolean outOfStock = Boolean.TRUE.equals(cursor.flag("outOfStock"));
    cursor.end();
    return new Supply(type, provisioned, grantAfter, outOfStock);
  }

  private static @Nullable String reservation(ObjectCursor cursor) {
    String name = cursor.text("reservation", Names::requireLabelValue);
    CapacityType type = CapacityType.RESERVATION;
    String written = cursor.scalar("capacityType");
    if (name != null && written != null && !written.equals(type.word())) {
      cursor.refuse("reservation", "must not be there unless the capacityType is reservation");
    }
    return name;
  }

  /** A name that is also the value of a label. */
  private static String requireNodeName(String name) {
    Names.requireSubdomain(name);
    return Names.requireLabelValue(name);
  }

  private static CapacityType capacityType(ObjectCursor cursor) {
    return cursor.word(
        "capacityType", CAPACITY_TYPES, CapacityType::word, CapacityType.RESERVATION);
  }

  /** Labels, of which these are given without being asked. */
  private static Labels labels(ObjectCursor cursor, Set<String> given) {
    Labels labels = LabelFields.labels(cursor, "labels", Schema.LABELS_MAX);
    for (String key : given) {
      String value = labels.get(key);
      if (value != null) {
        cursor
            .violations()
            .add(
                cursor.path("labels").key(key),
                value,
                "must not be there: the label is made from the other fields");
      }
    }
    return labels;
  }

  private static ResourceList capacity(ObjectCursor cursor) {
    TreeMap<ResourceName, Long> amounts = new TreeMap<>();
    cursor.entries(
        "capacity",
        Schema.RESOURCES_MAX,
        Names::requireQualified,
        (String key, JsonNode value, Path path, ScalarReader scalars) -> {
          ResourceName resource = new ResourceName(key);
          Long amount = scalars.quantity(value, path, resource);
          if (amount != null) {
            amounts.put(resource, amount);
          }
        });
    return new ResourceList(amounts);
  }
}
