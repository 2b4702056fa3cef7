// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.fleet;

import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.AcceleratorReader.SliceKind;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.fleet.FleetLabels.SliceTerms;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Forming;
import io.sluice.queuemodel.fleet.FormingCheck;
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

/** Collects hosts and slices of a fleet file; names must be unique. */
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
   * What slices of one entry have in common.
   *
   * @param hosts empty: they are numbered
   * @param missing of which hosts are not there; those that were found are taken out
   */
  record Making(
      SliceKind kind,
      SliceTerms terms,
      Forming forming,
      Labels labels,
      List<String> hosts,
      Set<String> missing) {}

  /** Adds a slice together with its hosts. */
  void addMade(String name, Making making, ObjectCursor entry) {
    if (!addName(name, entry)) {
      return;
    }
    SliceKind kind = making.kind();
    String type = kind.type().name();
    Labels labels =
        making
            .labels()
            .with(
                FleetLabels.ofSlice(name, kind.type().gkeLabel(), kind.topology(), making.terms()));
    ResourceList capacity = ResourceList.of(ResourceName.TPU, kind.chipsPerHost());
    List<String> names = new ArrayList<>();
    for (int worker = 0; worker < kind.hosts(); worker++) {
      boolean numbered = making.hosts().isEmpty();
      String host = numbered ? name + "-" + worker : making.hosts().get(worker);
      Path place = numbered ? entry.path("name") : entry.path("hosts").index(worker);
      if (claim(host, name, place)) {
        names.add(host);
        if (!making.missing().remove(host)) {
          hosts.add(new Host(host, labels.with(FleetLabels.ofHost(host)), capacity));
        }
      }
    }
    add(
        new Slice(
            name,
            type,
            kind.topology(),
            making.terms().capacityType(),
            labels,
            names,
            making.forming()),
        entry);
  }

  private void add(Slice slice, ObjectCursor entry) {
    String fault = FormingCheck.fault(slice);
    if (fault == null) {
      slices.add(slice);
    } else {
      entry.refuse("name", fault);
    }
  }

  /**
   * Adds a slice whose hosts are there.
   *
   * @param missing those that are not
   */
  void addExpanded(Slice slice, Set<String> missing, ObjectCursor entry) {
    if (!addName(slice.name(), entry)) {
      return;
    }
    for (int worker = 0; worker < slice.hosts().size(); worker++) {
      String host = slice.hosts().get(worker);
      Path place = entry.path("hosts").index(worker);
      boolean absent = missing.remove(host);
      String owner = ownerOfHost.get(host);
      if (owner == null && absent) {
        ownerOfHost.put(host, ownerName(slice.name()));
      } else if (owner == null) {
        violations.add(place, host, "is not among the fleet's hosts, and not missing");
      } else if (absent) {
        violations.add(place, host, "is missing, and is already " + owner);
      } else if (!ownerOfHost.replace(host, "a host outside slices", ownerName(slice.name()))) {
        refuseTwice(place, host, owner, slice.name());
      }
    }
    if (missing.isEmpty()) {
      add(slice, entry);
    } else {
      entry.refuse("missing", "names " + missing.iterator().next() + ", no host of this slice");
    }
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
