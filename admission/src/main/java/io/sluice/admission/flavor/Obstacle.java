// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.placement.Unplaced;
import io.sluice.admission.topology.Refusals;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceName;
import org.jspecify.annotations.Nullable;

/**
 * Why a flavor was not taken at once for a pod set.
 *
 * @param flavor empty if no flavor covers the resource
 * @param wanted required amount, in the counted unit of the resource, or number of slices
 * @param available amount available now
 * @param most largest amount that this queue could ever get
 * @param refusals for slices: requirements of the pods that some hosts do not meet; null if none
 */
public record Obstacle(
    Kind kind,
    String podSet,
    String flavor,
    ResourceName resource,
    long wanted,
    long available,
    long most,
    @Nullable Refusals refusals) {

  /** Creates an obstacle that does not concern the hosts of slices. */
  public Obstacle(
      Kind kind,
      String podSet,
      String flavor,
      ResourceName resource,
      long wanted,
      long available,
      long most) {
    this(kind, podSet, flavor, resource, wanted, available, most, null);
  }

  /** Creates the obstacle of pods without places. */
  static Obstacle of(Unplaced unplaced, Kind kind) {
    return new Obstacle(
        kind,
        unplaced.podSet(),
        unplaced.flavor(),
        ResourceName.PODS,
        unplaced.wanted(),
        unplaced.fit(),
        unplaced.wanted());
  }

  /** Creates the obstacle of pods that a flavor's nodes do not accept. */
  static Obstacle of(Kind kind, PodSet podSet, String flavor) {
    ResourceName any =
        podSet.requests().isEmpty() ? ResourceName.PODS : podSet.requests().amounts().firstKey();
    return new Obstacle(kind, podSet.name(), flavor, any, podSet.total().get(any), 0, 0);
  }

  /** The kind of an obstacle. */
  public enum Kind {
    /** The queue has no quota of the resource in any flavor. */
    RESOURCE_NOT_COVERED,
    /** The cluster of the flavor was never reached. */
    CLUSTER_NOT_REACHED,
    /** The flavor's nodes have a taint that the pods do not tolerate. */
    UNTOLERATED_TAINT,
    /** The flavor's nodes do not have the labels that the pods select. */
    NODE_SELECTOR,
    /** The flavor has enough slices, but too few whose hosts all meet the pods' requirements. */
    NO_MATCHING_SLICES,
    /** The fleet has fewer such slices of this flavor than requested. */
    TOO_FEW_SLICES,
    /** The request exceeds what the queue could ever use, including borrowing. */
    EXCEEDS_QUOTA,
    /** Other work uses or claims the quota. */
    QUOTA_IN_USE,
    /** Other work holds or claims the slices. */
    SLICES_IN_USE,
    /** Enough hosts are free, but not together as the slices require. */
    SLICES_SCATTERED,
    /** The job would delay planned starts of other jobs. */
    PLANNED_STARTS,
    /** The flavor's nodes do not have the requested topology. */
    NO_TOPOLOGY,
    /** The flavor is only for pods that are placed by its topology. */
    ONLY_BY_TOPOLOGY,
    /** Other work uses the nodes that are close enough together. */
    NODES_IN_USE,
    /** Too few nodes are close enough together, even in an empty fleet. */
    TOO_FEW_NODES,
    /** The fleet names enough slices, but their provider has not granted them. */
    SLICES_ABSENT
  }
}
