// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.placement.Unplaced;
import io.sluice.admission.topology.Refusals;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceName;
import org.jspecify.annotations.Nullable;

/**
 * Why a flavor was not simply taken for a pod set.
 *
 * @param flavor empty if no flavor covers the resource
 * @param wanted how much the workload needs: of the resource in its counted unit, or slices
 * @param available how much of it is to be had now
 * @param most how much of it there could ever be for this queue
 * @param refusals of slices: what the pods require of hosts and some hosts do not meet; null:
 *     nothing
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

  /** An obstacle that has nothing to do with the hosts of slices. */
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

  /** That pods found no places. */
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

  /** That pods may not be on the nodes of a flavor. */
  static Obstacle of(Kind kind, PodSet podSet, String flavor) {
    ResourceName any =
        podSet.requests().isEmpty() ? ResourceName.PODS : podSet.requests().amounts().firstKey();
    return new Obstacle(kind, podSet.name(), flavor, any, podSet.total().get(any), 0, 0);
  }

  /** What stands in the way. */
  public enum Kind {
    /** The queue has no quota of the resource in any flavor. */
    RESOURCE_NOT_COVERED,
    /** The cluster of the flavor has never been reached. */
    CLUSTER_NOT_REACHED,
    /** The flavor's nodes have a taint that the pods do not tolerate. */
    UNTOLERATED_TAINT,
    /** The flavor's nodes do not have the labels that the pods select. */
    NODE_SELECTOR,
    /** Enough slices of this flavor, but on too few all hosts meet what the pods require. */
    NO_MATCHING_SLICES,
    /** The fleet has fewer such slices of this flavor than are asked for. */
    TOO_FEW_SLICES,
    /** More is asked for than the queue could ever use, borrowing included. */
    EXCEEDS_QUOTA,
    /** Others use or claim the quota. */
    QUOTA_IN_USE,
    /** Others hold or claim the slices. */
    SLICES_IN_USE,
    /** Enough hosts are free, but not together as the slices would have to be. */
    SLICES_SCATTERED,
    /** The flavor's nodes have not the topology that is asked for. */
    NO_TOPOLOGY,
    /** The flavor is only for pods that are placed by its topology. */
    ONLY_BY_TOPOLOGY,
    /** Others take the nodes that would be close enough together. */
    NODES_IN_USE,
    /** There are too few nodes close enough together, whoever takes them. */
    TOO_FEW_NODES,
    /** The fleet names enough slices, but their provider has not given them. */
    SLICES_ABSENT
  }
}
