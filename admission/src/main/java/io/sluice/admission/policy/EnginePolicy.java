// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.policy;

import io.sluice.admission.ordering.EntryOrder;
import io.sluice.admission.placement.PlacementRules;
import io.sluice.queuemodel.job.StartPolicy;
import org.jspecify.annotations.Nullable;

/**
 * How the engine decides where there is a choice. One value for all that it decides.
 *
 * @param order in which heads are served without fair sharing
 * @param fairSharing null: it is off
 * @param admissionFairSharing how LocalQueues stand by usage, in ClusterQueues that say so; null:
 *     in none
 * @param sparesOverlaps whether a head whose victims were chosen by one before it looks for others,
 *     or is left for the next cycle
 * @param reducesCounts whether pod sets may be admitted with fewer pods, where they permit it
 * @param placement how pods are placed on nodes
 * @param starts what is done about attempts that have not started
 */
public record EnginePolicy(
    CycleRule cycle,
    EntryOrder order,
    @Nullable FairSharing fairSharing,
    @Nullable AdmissionFairSharing admissionFairSharing,
    boolean sparesOverlaps,
    boolean reducesCounts,
    PlacementRules placement,
    StartPolicy starts) {
  /** What a server does that is told nothing else. */
  public static final EnginePolicy DEFAULT =
      new EnginePolicy(
          CycleRule.ROUND,
          EntryOrder.DEFAULT,
          null,
          null,
          true,
          true,
          PlacementRules.DEFAULT,
          StartPolicy.DEFAULT);

  public EnginePolicy withCycle(CycleRule other) {
    return new EnginePolicy(
        other,
        order,
        fairSharing,
        admissionFairSharing,
        sparesOverlaps,
        reducesCounts,
        placement,
        starts);
  }

  public EnginePolicy withFairSharing(@Nullable FairSharing other) {
    return new EnginePolicy(
        cycle,
        order,
        other,
        admissionFairSharing,
        sparesOverlaps,
        reducesCounts,
        placement,
        starts);
  }

  public EnginePolicy withAdmissionFairSharing(@Nullable AdmissionFairSharing other) {
    return new EnginePolicy(
        cycle, order, fairSharing, other, sparesOverlaps, reducesCounts, placement, starts);
  }

  public EnginePolicy withStarts(StartPolicy other) {
    return new EnginePolicy(
        cycle,
        order,
        fairSharing,
        admissionFairSharing,
        sparesOverlaps,
        reducesCounts,
        placement,
        other);
  }
}
