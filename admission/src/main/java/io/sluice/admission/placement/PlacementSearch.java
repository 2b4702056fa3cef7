// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.admission.placement.DomainChoice.Chosen;
import io.sluice.admission.placement.DomainPolicy.GivenDomains;
import io.sluice.admission.placement.PlacementShape.BadShapeException;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.event.TopologyAssignment.Domain;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.job.PodSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds places for pods, and for a leader that must be with them, in a flavor's topology.
 *
 * <ol>
 *   <li>Count the pods that each host could hold, and sum them up the levels ({@link LeafCounting},
 *       {@link DomainCounts}).
 *   <li>Choose the domains that hold all of them together ({@link DomainChoice}, unless the policy
 *       of the rules chooses).
 *   <li>Distribute the pods down to the hosts, to as few domains of each level as possible ({@link
 *       PodSpread}).
 * </ol>
 *
 * <p>This is Kueue's algorithm (KEP-2724) on numbered domains. Its cost is one pass over the
 * leaves.
 */
final class PlacementSearch {
  /**
   * The result of a search.
   *
   * @param workers null if there is no place
   * @param leader null if there is no leader, or no place
   */
  record Found(
      @Nullable TopologyAssignment workers,
      @Nullable TopologyAssignment leader,
      @Nullable Unplaced unplaced) {
    static Found nothing(Unplaced unplaced) {
      return new Found(null, null, unplaced);
    }
  }

  private final NodeTopology topology;
  private final PlacementRules rules;
  private final List<Toleration> flavorTolerations;

  PlacementSearch(NodeTopology topology, PlacementRules rules, List<Toleration> flavorTolerations) {
    this.topology = topology;
    this.rules = rules;
    this.flavorTolerations = flavorTolerations;
  }

  Found find(LeafRoom room, PodsToPlace workers, @Nullable PodsToPlace leader) {
    return find(
        room,
        workers,
        leader,
        topology.first(topology.lowest()),
        topology.first(topology.lowest() + 1));
  }

  /**
   * Finds places within a range of leaves.
   *
   * @param from first domain of the lowest level that may be used
   * @param to end of the range, exclusive
   */
  Found find(LeafRoom room, PodsToPlace workers, @Nullable PodsToPlace leader, int from, int to) {
    PlacementShape shape;
    try {
      shape = PlacementShape.of(topology, workers);
    } catch (BadShapeException bad) {
      return Found.nothing(Unplaced.of(workers.podSet().name(), bad.reason()));
    }
    DomainCounts counts = new DomainCounts(topology, shape, leader != null);
    if (workers.podSet().count() % shape.bundleSize() != 0) {
      return Found.nothing(
          Unplaced.of(workers.podSet().name(), Unplaced.Reason.LAYERS_DO_NOT_DIVIDE));
    }
    PodSet leaderPods = leader == null ? null : leader.podSet();
    new LeafCounting(topology, room, flavorTolerations, rules.heedsPreferences())
        .count(counts, workers.podSet(), leaderPods, from, to);
    counts.sumUp();
    int pods = workers.podSet().count();
    int leaders = leader == null ? 0 : 1;
    if (!shape.required() && !shape.anywhere()) {
      GivenDomains given = DomainPolicy.of(rules).choose(counts, pods, leaders);
      int[] leaves =
          given == null
              ? null
              : new PodSpread(given.counts(), order(given.counts()))
                  .down(given.level(), given.domains(), pods, leaders, true);
      if (given != null && leaves != null) {
        return found(leaves, given.counts(), workers, leaderPods);
      }
    }
    DomainOrder order = order(counts);
    Chosen chosen = new DomainChoice(counts, order, pods, leaders).choose();
    int[] leaves =
        chosen.found()
            ? new PodSpread(counts, order)
                .down(chosen.level(), chosen.domains(), pods, leaders, false)
            : null;
    return leaves == null
        ? Found.nothing(
            Unplaced.noRoom(workers.podSet().name(), chosen.fit(), pods / shape.bundleSize()))
        : found(leaves, counts, workers, leaderPods);
  }

  private Found found(
      int[] leaves, DomainCounts counts, PodsToPlace workers, @Nullable PodSet leader) {
    return new Found(
        assignment(leaves, counts.pods, workers.podSet()),
        leader == null ? null : assignment(leaves, counts.leaders, leader),
        null);
  }

  private DomainOrder order(DomainCounts counts) {
    return new DomainOrder(
        counts, counts.shape().anywhere() && rules.fillsUp(), rules.heedsPreferences());
  }

  private TopologyAssignment assignment(int[] leaves, int[] counts, PodSet pods) {
    int[] inOrder = leaves.clone();
    Arrays.sort(inOrder);
    List<Domain> domains = new ArrayList<>();
    for (int leaf : inOrder) {
      if (counts[leaf] > 0) {
        domains.add(
            new Domain(topology.name(leaf - topology.first(topology.lowest())), counts[leaf]));
      }
    }
    return new TopologyAssignment(topology.namedLevels(), domains, pods.requestsOnHost());
  }
}
