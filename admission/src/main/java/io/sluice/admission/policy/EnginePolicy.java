// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.policy;

import io.sluice.admission.ordering.EntryOrder;
import io.sluice.admission.placement.PlacementRules;
import io.sluice.queuemodel.job.StartPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The decision policy of an engine, fixed for all of its decisions.
 *
 * @param order serving order of heads without fair sharing
 * @param fairSharing null if fair sharing is off
 * @param admissionFairSharing settings of usage for ClusterQueues that order LocalQueues by usage;
 *     null if it is off
 * @param sparesOverlaps whether a head whose victims an earlier head chose searches others, instead
 *     of waiting for the next cycle
 * @param reducesCounts whether pod sets may be admitted with fewer pods, where they permit it
 * @param placement rules for placing pods on nodes
 * @param starts rules for attempts that have not started
 * @param ends what the latest end of an attempt allows for
 */
public record EnginePolicy(
    CycleRule cycle,
    EntryOrder order,
    @Nullable FairSharing fairSharing,
    @Nullable AdmissionFairSharing admissionFairSharing,
    boolean sparesOverlaps,
    boolean reducesCounts,
    PlacementRules placement,
    StartPolicy starts,
    EndAllowances ends) {
  /** The default policy of a server. */
  public static final EnginePolicy DEFAULT =
      new EnginePolicy(
          CycleRule.ROUND,
          EntryOrder.DEFAULT,
          null,
          null,
          true,
          true,
          PlacementRules.DEFAULT,
          StartPolicy.DEFAULT,
          EndAllowances.DEFAULT);

  public EnginePolicy withCycle(CycleRule other) {
    return new EnginePolicy(
        other,
        order,
        fairSharing,
        admissionFairSharing,
        sparesOverlaps,
        reducesCounts,
        placement,
        starts,
        ends);
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
        starts,
        ends);
  }

  public EnginePolicy withAdmissionFairSharing(@Nullable AdmissionFairSharing other) {
    return new EnginePolicy(
        cycle, order, fairSharing, other, sparesOverlaps, reducesCounts, placement, starts, ends);
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
        other,
        ends);
  }

  public EnginePolicy withEnds(EndAllowances other) {
    return new EnginePolicy(
        cycle,
        order,
        fairSharing,
        admissionFairSharing,
        sparesOverlaps,
        reducesCounts,
        placement,
        starts,
        other);
  }
}
