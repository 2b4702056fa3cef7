// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetInputs.Known;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges the fleet file and the observed clusters, in this order, into one fleet. The first host or
 * slice of a name wins; a later one of the same name is left out with a reason.
 *
 * <p>A cluster that this server has not observed keeps its part of the present fleet; without such
 * a part it counts as never reached. A host outside slices is in the fleet only while it is
 * healthy: nothing else keeps pods from being placed there.
 */
final class FleetComposition {
  private final Fleet file;
  private final Fleet present;
  private final List<Labels> placing;
  private final List<Host> hosts = new ArrayList<>();
  private final List<Slice> slices = new ArrayList<>();
  private final Set<String> hostNames = new HashSet<>();
  private final Set<String> sliceNames = new HashSet<>();
  private final List<String> unreached = new ArrayList<>();
  private final TreeMap<String, String> refused = new TreeMap<>();

  private FleetComposition(Fleet file, Known engine) {
    this.file = file;
    this.present = engine.fleet();
    this.placing = engine.placing();
  }

  /**
   * A composed fleet, and what was left out.
   *
   * @param refused reasons of slices and hosts that were left out, by name
   */
  record Composed(Fleet fleet, SortedMap<String, String> refused) {}

  /**
   * Composes the fleet.
   *
   * @param file the fleet file; the result has its executor and supplies
   * @param engine the engine's fleet, and the hosts on which it places pods
   * @param remembered names of slices that stay although some of their nodes are missing
   * @param obtainable capacity that may be provisioned
   */
  static Composed compose(
      Fleet file,
      Known engine,
      List<ClusterSight> clusters,
      Set<String> remembered,
      List<Obtainable> obtainable) {
    FleetComposition composition = new FleetComposition(file, engine);
    Fleet present = engine.fleet();
    composition.add("the fleet file", file.hosts(), file.slices());
    boolean isDefault = true;
    for (ClusterSight sight : clusters) {
      PotentialSlices potential = new PotentialSlices(sight.cluster(), isDefault, obtainable);
      if (sight.observed() == null && !composition.wasReached(sight.cluster())) {
        if (isDefault) {
          composition.unreached.add(NodeClusters.DEFAULT);
        }
        composition.unreached.add(sight.cluster());
      }
      isDefault = false;
      ObservedFleet observed = sight.observed() == null ? null : potential.mark(sight.observed());
      int hostsBefore = composition.hosts.size();
      int slicesBefore = composition.slices.size();
      if (observed == null) {
        composition.keep(sight.cluster(), null, present.slices());
      } else {
        composition.add(observed);
        List<Slice> missing =
            present.slices().stream().filter(slice -> remembered.contains(slice.name())).toList();
        composition.keep(sight.cluster(), observed, missing);
        List<Slice> there = composition.slices.subList(slicesBefore, composition.slices.size());
        composition.slices.addAll(potential.of(there, composition.sliceNames));
      }
      composition.sortFrom(hostsBefore, slicesBefore);
    }
    return composition.composed();
  }

  /**
   * Restores the order: remembered slices keep their place, since another order would be another
   * fleet.
   */
  private void sortFrom(int firstHost, int firstSlice) {
    hosts.subList(firstHost, hosts.size()).sort(Comparator.comparing(Host::name));
    slices.subList(firstSlice, slices.size()).sort(Comparator.comparing(Slice::name));
  }

  /** Whether labels belong to a slice or host of a cluster. */
  static boolean isOf(String cluster, Labels labels) {
    return cluster.equals(labels.get(NodeClusters.CLUSTER));
  }

  private void add(ObservedFleet observed) {
    Set<String> inSlices = new HashSet<>();
    observed.slices().forEach(slice -> inSlices.addAll(slice.hosts()));
    List<Host> usable =
        observed.hosts().stream()
            .filter(
                host ->
                    inSlices.contains(host.name())
                        || observed.health(host.name()).state() == NodeHealth.State.WELL)
            .map(host -> inSlices.contains(host.name()) ? host : left(host, observed))
            .toList();
    add("cluster " + observed.cluster(), usable, observed.slices());
  }

  /**
   * Returns a host on which pods are placed with the capacity that pods outside Sluice leave. Other
   * hosts keep their capacity: nothing reads it, and each change would make another fleet.
   */
  private Host left(Host host, ObservedFleet observed) {
    OutsideUse use = observed.outside().get(host.name());
    return use == null
            || placing.stream().noneMatch(flavor -> NodeClusters.offers(flavor, host.labels()))
        ? host
        : new Host(host.name(), host.labels(), use.leftOf(host.capacity()), host.taints());
  }

  /** Keeps the slices of a cluster, and without an observation its other hosts as well. */
  private void keep(String cluster, @Nullable ObservedFleet observed, List<Slice> kept) {
    Map<String, Host> known = new HashMap<>();
    present.hosts().forEach(host -> known.put(host.name(), host));
    List<Slice> whole = new ArrayList<>();
    Set<String> ofSlices = new HashSet<>();
    for (Slice slice : kept) {
      boolean free = slice.hosts().stream().noneMatch(hostNames::contains);
      if (isOf(cluster, slice.labels()) && free && !sliceNames.contains(slice.name())) {
        whole.add(slice);
        ofSlices.addAll(slice.hosts());
      }
    }
    Set<String> inSomeSlice = new HashSet<>();
    present.slices().forEach(slice -> inSomeSlice.addAll(slice.hosts()));
    List<Host> hostsKept = new ArrayList<>();
    for (Host host : present.hosts()) {
      boolean loose =
          observed == null
              && isOf(cluster, host.labels())
              && !inSomeSlice.contains(host.name())
              && !hostNames.contains(host.name());
      if (loose || ofSlices.contains(host.name())) {
        hostsKept.add(host);
      }
    }
    add("cluster " + cluster, hostsKept, whole);
  }

  private void add(String owner, List<Host> more, List<Slice> moreSlices) {
    Map<String, String> sliceOf = new HashMap<>();
    Set<String> dropped = new HashSet<>();
    for (Slice slice : moreSlices) {
      slice.hosts().forEach(host -> sliceOf.put(host, slice.name()));
      if (sliceNames.contains(slice.name())
          || slice.hosts().stream().anyMatch(hostNames::contains)) {
        dropped.add(slice.name());
        refused.put(slice.name(), "its name, or a host's, is that of another; it is of " + owner);
      }
    }
    for (Host host : more) {
      String slice = sliceOf.get(host.name());
      if (slice == null && hostNames.contains(host.name())) {
        refused.put(host.name(), "its name is that of another host; it is of " + owner);
      } else if (slice == null || !dropped.contains(slice)) {
        hosts.add(host);
      }
    }
    for (Slice slice : moreSlices) {
      if (!dropped.contains(slice.name())) {
        slices.add(slice);
        sliceNames.add(slice.name());
      }
    }
    hosts.subList(hostNames.size(), hosts.size()).forEach(host -> hostNames.add(host.name()));
  }

  /** Whether the present fleet has a part of the cluster. */
  private boolean wasReached(String cluster) {
    return !present.unreachedClusters().contains(cluster)
        && (present.hosts().stream().anyMatch(host -> isOf(cluster, host.labels()))
            || present.slices().stream().anyMatch(slice -> isOf(cluster, slice.labels())));
  }

  private Composed composed() {
    Fleet fleet = new Fleet(file.executor(), hosts, slices, file.supplies(), unreached);
    return new Composed(fleet, refused);
  }
}
