// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import io.sluice.manifests.AcceleratorReader.SliceKind;
import io.sluice.manifests.FleetLabels.SliceTerms;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The hosts and slices that were read so far, none of which may be there twice. */
final class FleetRoster {
  static final int HOSTS_MAX = 100_000;

  private final Violations violations;
  private final List<Host> hosts = new ArrayList<>();
  private final List<Slice> slices = new ArrayList<>();
  private final Set<String> sliceNames = new HashSet<>();

  /** Of each host what it is, for messages: {@code a host of slice v6e-0}. */
  private final Map<String, String> ownerOfHost = new HashMap<>();

  FleetRoster(Violations violations) {
    this.violations = violations;
  }

  List<Host> hosts() {
    return hosts;
  }

  List<Slice> slices() {
    return slices;
  }

  /** Whether so many more hosts are not too many; else it is said of the field. */
  boolean hasRoom(long count, ObjectCursor entry, String field) {
    if (hosts.size() + count <= HOSTS_MAX) {
      return true;
    }
    entry.refuse(
        field,
        "makes " + (hosts.size() + count) + " hosts with those before: at most " + HOSTS_MAX);
    return false;
  }

  /** Adds a host that is in no slice, or not yet. */
  void addLoose(Host host, ObjectCursor entry) {
    String owner = ownerOfHost.putIfAbsent(host.name(), "a host outside slices");
    if (owner != null) {
      violations.add(entry.path("name"), host.name(), "is already " + owner);
      return;
    }
    hosts.add(host);
  }

  /**
   * Adds a slice together with its hosts.
   *
   * @param hostNames empty: they are numbered
   */
  void addMade(
      String name,
      SliceKind kind,
      SliceTerms terms,
      Labels userLabels,
      List<String> hostNames,
      ObjectCursor entry) {
    if (!addName(name, entry)) {
      return;
    }
    Labels labels =
        userLabels.with(FleetLabels.ofSlice(name, kind.type().gkeLabel(), kind.topology(), terms));
    ResourceList capacity = ResourceList.of(ResourceName.TPU, kind.chipsPerHost());
    List<String> names = new ArrayList<>();
    for (int worker = 0; worker < kind.hosts(); worker++) {
      boolean numbered = hostNames.isEmpty();
      String host = numbered ? name + "-" + worker : hostNames.get(worker);
      Path place = numbered ? entry.path("name") : entry.path("hosts").index(worker);
      if (claim(host, name, place)) {
        names.add(host);
        hosts.add(new Host(host, labels.with(FleetLabels.ofHost(host)), capacity));
      }
    }
    slices.add(
        new Slice(name, kind.type().name(), kind.topology(), terms.capacityType(), labels, names));
  }

  /** Adds a slice whose hosts are there. */
  void addExpanded(Slice slice, ObjectCursor entry) {
    if (!addName(slice.name(), entry)) {
      return;
    }
    for (int worker = 0; worker < slice.hosts().size(); worker++) {
      String host = slice.hosts().get(worker);
      Path place = entry.path("hosts").index(worker);
      String owner = ownerOfHost.get(host);
      if (owner == null) {
        violations.add(place, host, "is not among the fleet's hosts");
      } else if (!ownerOfHost.replace(host, "a host outside slices", ownerName(slice.name()))) {
        refuseTwice(place, host, owner, slice.name());
      }
    }
    slices.add(slice);
  }

  private boolean addName(String slice, ObjectCursor entry) {
    if (!sliceNames.add(slice)) {
      violations.add(entry.path("name"), slice, "is already the name of a slice");
      return false;
    }
    return true;
  }

  private boolean claim(String host, String slice, Path place) {
    String owner = ownerOfHost.putIfAbsent(host, ownerName(slice));
    if (owner != null) {
      refuseTwice(place, host, owner, slice);
    }
    return owner == null;
  }

  private void refuseTwice(Path place, String host, String owner, String slice) {
    violations.add(
        place, host, "is already " + owner + ", and cannot be one of slice " + slice + " too");
  }

  private static String ownerName(String slice) {
    return "a host of slice " + slice;
  }
}
