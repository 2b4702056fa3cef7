// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.placement.NodeUsage;
import io.sluice.admission.placement.Placement;
import io.sluice.admission.placement.Placement.Places;
import io.sluice.admission.placement.PodsToPlace;
import io.sluice.admission.placement.Topologies;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.event.TopologyDelay;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Determines which pods of a job are placed on nodes, and by which topology: pods that request it,
 * and all pods of a queue whose flavors all have a topology.
 */
public final class PodPlacing {
  private final AdmissionState state;
  private final JobEntry job;
  private final Topologies topologies;
  private final boolean implied;

  PodPlacing(AdmissionState state, JobEntry job) {
    this.state = state;
    this.job = job;
    this.topologies = state.topologies();
    this.implied = state.policy().placement().on() && onlyTopologies(state, job);
  }

  private static boolean onlyTopologies(AdmissionState state, JobEntry job) {
    for (ResourceGroup group : job.queue().spec().resourceGroups()) {
      for (FlavorQuotas quotas : group.flavors()) {
        ResourceFlavor flavor = state.objects().flavor(quotas.flavor());
        if (flavor == null || flavor.topology() == null) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns whether a pod set is placed. */
  boolean places(PodSet podSet) {
    return implied || (podSet.topology() != null && state.policy().placement().on());
  }

  /** Returns why a pod set cannot use a flavor because of its topology; null if it can. */
  Obstacle.@Nullable Kind mismatch(PodSet podSet, ResourceFlavor flavor, ResourceGroup group) {
    if (!state.policy().placement().on()) {
      return null;
    }
    if (!places(podSet)) {
      return flavor.topology() == null ? null : Obstacle.Kind.ONLY_BY_TOPOLOGY;
    }
    if (podSet.topology() == null) {
      return null;
    }
    if (flavor.topology() == null) {
      // A flavor without any resource that pods use on their node has nothing to place.
      boolean ofNode =
          group.coveredResources().stream()
              .anyMatch(resource -> podSet.requestsOnHost().amounts().containsKey(resource));
      return ofNode ? Obstacle.Kind.NO_TOPOLOGY : null;
    }
    return placement().hasLevels(flavor.meta().name(), pods(podSet, podSet.count()))
        ? null
        : Obstacle.Kind.NO_TOPOLOGY;
  }

  private PodsToPlace pods(PodSet podSet, int count) {
    return new PodsToPlace(podSet.withCount(count), podSet.topology() == null, false, null);
  }

  /**
   * Returns the pods to place, by flavor; null if a pod set has flavors without known nodes, or
   * several.
   */
  @Nullable SortedMap<String, List<PodsToPlace>> wanted(
      List<PodSet> podSets, List<PodSetAssignment> given) {
    SortedMap<String, List<PodsToPlace>> byFlavor = new TreeMap<>();
    for (PodSet podSet : podSets) {
      PodSetAssignment assigned = PodSetAssignment.find(given, podSet.name());
      boolean now = assigned != null && assigned.count() > 0 && assigned.delay() == null;
      if (places(podSet) && assigned != null && now) {
        String flavor = topologies.flavorOf(assigned);
        if (flavor == null) {
          return null;
        }
        byFlavor
            .computeIfAbsent(flavor, absent -> new ArrayList<>())
            .add(pods(podSet, assigned.count()));
      }
    }
    return byFlavor;
  }

  /**
   * Marks an assignment for later placement if the nodes of its flavor are still to be provisioned.
   */
  PodSetAssignment delayed(PodSetAssignment given, PodSet podSet) {
    String flavor = topologies.flavorOf(given);
    boolean delays = places(podSet) && flavor != null && given.count() > 0 && delays(flavor);
    return delays
        ? new PodSetAssignment(
            given.name(),
            given.count(),
            given.flavors(),
            given.usage(),
            null,
            TopologyDelay.PENDING)
        : given;
  }

  private boolean delays(String flavor) {
    return job.queue().spec().policies().provisionedFlavors().contains(flavor);
  }

  private Placement placement() {
    return placement(state);
  }

  private static Placement placement(AdmissionState state) {
    return new Placement(
        state.topologies(),
        state.policy().placement(),
        flavor -> tolerations(state.objects().flavor(flavor)));
  }

  private static List<Toleration> tolerations(@Nullable ResourceFlavor flavor) {
    return flavor == null ? List.of() : flavor.tolerations();
  }

  /**
   * Finds places beside the given usages.
   *
   * @param usages usages of nodes; empty for an empty fleet
   */
  public static Places find(
      AdmissionState state, SortedMap<String, List<PodsToPlace>> byFlavor, List<NodeUsage> usages) {
    return find(state, byFlavor, usages, Collections.emptySortedSet());
  }

  /** Finds places for pods that lost some of their hosts; pods on other hosts stay. */
  public static Places find(
      AdmissionState state,
      SortedMap<String, List<PodsToPlace>> byFlavor,
      List<NodeUsage> usages,
      SortedSet<String> lost) {
    return byFlavor.isEmpty()
        ? new Places(Collections.emptySortedMap(), null)
        : placement(state).find(byFlavor, usages, lost);
  }
}
