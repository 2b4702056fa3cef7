// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.admission.placement.PlacementSearch.Found;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.event.TopologyAssignment.Domain;
import io.sluice.queuemodel.job.TopologyRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Places the pod sets of a group in one flavor: anew, beside the pods of a replaced workload, or in
 * place of pods on lost hosts.
 */
final class FlavorPlacement {
  private final String flavor;
  private final NodeTopology topology;
  private final boolean grows;
  private final PlacementSearch search;
  private final List<long[][]> counts;
  private final AssumedPods assumed;

  FlavorPlacement(
      String flavor,
      NodeTopology topology,
      boolean grows,
      PlacementSearch search,
      List<long[][]> counts,
      AssumedPods assumed) {
    this.flavor = flavor;
    this.topology = topology;
    this.grows = grows;
    this.search = search;
    this.counts = counts;
    this.assumed = assumed;
  }

  private LeafRoom room() {
    return new LeafRoom(topology, counts, assumed.on(flavor, topology));
  }

  /** Places pods and records their places; returns the failure, or null. */
  @Nullable Unplaced place(
      List<PodsToPlace> together, SortedMap<String, TopologyAssignment> places) {
    PodsToPlace workers = together.get(0);
    PodsToPlace leader = together.size() > 1 ? together.get(1) : null;
    if (leader != null && leader.podSet().count() > workers.podSet().count()) {
      leader = workers;
      workers = together.get(1);
    }
    TopologyAssignment previous = workers.previous();
    if (grows && previous != null && mayKeep(previous, workers, leader)) {
      return placeBeside(previous, workers, leader, places);
    }
    Found found = search.find(room(), workers, leader);
    if (found.workers() == null) {
      return found.unplaced();
    }
    note(workers, found.workers(), places);
    if (leader != null && found.leader() != null) {
      note(leader, found.leader(), places);
    }
    return null;
  }

  /**
   * Returns whether pods may stay where they are: all domains exist, including the leader's, and
   * the counts before and after are multiples of the bundle size. Otherwise the whole group is
   * placed anew.
   */
  private boolean mayKeep(
      TopologyAssignment previous, PodsToPlace workers, @Nullable PodsToPlace leader) {
    TopologyAssignment led = leader == null ? null : leader.previous();
    TopologyRequest request = workers.podSet().topology();
    int bundle = request == null || request.layers().isEmpty() ? 1 : request.layers().get(0).size();
    boolean grown = workers.podSet().count() > previous.count();
    return staleDomain(previous) == null
        && (led == null ? leader == null || grown : staleDomain(led) == null)
        && (bundle <= 1
            || (previous.count() % bundle == 0 && workers.podSet().count() % bundle == 0));
  }

  private void note(
      PodsToPlace pods, TopologyAssignment where, SortedMap<String, TopologyAssignment> places) {
    places.put(pods.podSet().name(), where);
    assumed.add(flavor, topology, where);
  }

  /** Keeps the existing pods, and places only additional ones or drops superfluous ones. */
  private @Nullable Unplaced placeBeside(
      TopologyAssignment previous,
      PodsToPlace workers,
      @Nullable PodsToPlace leader,
      SortedMap<String, TopologyAssignment> places) {
    int more = workers.podSet().count() - previous.count();
    if (more <= 0) {
      note(workers, first(previous, workers.podSet().count()), places);
      if (leader != null && leader.previous() != null) {
        note(leader, leader.previous(), places);
      }
      return null;
    }
    assumed.add(flavor, topology, previous);
    TopologyAssignment led = leader == null ? null : leader.previous();
    if (leader != null && led != null) {
      // The leader stays where it is, so additional pods are placed beside it.
      note(leader, led, places);
    }
    Found found = search.find(room(), workers.withCount(more), led == null ? leader : null);
    if (found.workers() == null) {
      if (leader != null) {
        places.remove(leader.podSet().name());
      }
      return found.unplaced();
    }
    assumed.add(flavor, topology, found.workers());
    places.put(workers.podSet().name(), merged(found.workers(), previous));
    if (leader != null && found.leader() != null) {
      note(leader, found.leader(), places);
    }
    return null;
  }

  private static TopologyAssignment first(TopologyAssignment all, int count) {
    List<Domain> kept = new ArrayList<>();
    int left = count;
    for (Domain domain : all.domains()) {
      int of = Math.min(left, domain.count());
      if (of > 0) {
        kept.add(new Domain(domain.values(), of));
      }
      left -= of;
    }
    return new TopologyAssignment(all.levels(), kept, all.perPod());
  }

  private TopologyAssignment merged(TopologyAssignment one, TopologyAssignment other) {
    SortedMap<Integer, Domain> byLeaf = new TreeMap<>();
    List<Domain> all = new ArrayList<>(one.domains());
    all.addAll(other.domains());
    for (Domain domain : all) {
      byLeaf.merge(
          topology.leaf(domain.values()),
          domain,
          (before, more) -> new Domain(before.values(), before.count() + more.count()));
    }
    return new TopologyAssignment(one.levels(), List.copyOf(byLeaf.values()), one.perPod());
  }

  /** Returns a domain that no longer exists; null if all exist. */
  private @Nullable Domain staleDomain(TopologyAssignment where) {
    for (Domain domain : where.domains()) {
      if (topology.leaf(domain.values()) < 0) {
        return domain;
      }
    }
    return null;
  }

  /**
   * Replaces the pods on lost hosts, and records all places; returns the failure, or null.
   *
   * @param together pod sets of the group, with their previous places
   */
  @Nullable Unplaced replace(
      List<PodsToPlace> together,
      SortedSet<String> lost,
      SortedMap<String, TopologyAssignment> places) {
    for (PodsToPlace pods : together) {
      TopologyAssignment previous = pods.previous();
      if (previous == null) {
        continue;
      }
      if (pods.stay()) {
        note(pods, previous, places);
        continue;
      }
      List<Domain> kept = new ArrayList<>(previous.domains());
      kept.removeIf(domain -> lost.contains(domain.lowest()));
      TopologyAssignment rest = new TopologyAssignment(previous.levels(), kept, previous.perPod());
      if (staleDomain(rest) != null) {
        return Unplaced.of(pods.podSet().name(), Unplaced.Reason.STALE);
      }
      int count = previous.count() - rest.count();
      Found found = new HostReplacement(topology, search).find(room(), pods, rest, count);
      if (found.workers() == null || found.workers().domains().isEmpty()) {
        return found.unplaced() == null
            ? Unplaced.noRoom(pods.podSet().name(), 0, count)
            : found.unplaced();
      }
      places.put(pods.podSet().name(), merged(found.workers(), rest));
      assumed.add(flavor, topology, found.workers());
    }
    return null;
  }
}
