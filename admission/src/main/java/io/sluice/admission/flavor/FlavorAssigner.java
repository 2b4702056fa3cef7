// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.computeclasses.RungChoice;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.Rung;
import java.util.List;

/**
 * Finds flavors for a workload.
 *
 * <p>For each pod set, and in it for each resource group that its requests touch, the group's
 * flavors are tried in the queue's order. A flavor is passed over if its nodes repel the pods; else
 * each resource in it fits, fits if others are evicted, or does not fit, and the worst of them is
 * the flavor's mode. Slices count as one more resource of the flavor: there must be as many whole
 * ones as are asked for. The queue's fungibility says when to stop looking and which flavor is
 * better. A later pod set sees what an earlier one would take. This is Kueue's flavor assigner,
 * with slices in place of its node topologies.
 *
 * <p>The flavors of a workload with a compute class are looked for rung by rung, see {@link
 * LadderWalk}.
 *
 * <p>Nothing changes. Whether victims can be had is asked of the {@link PreemptionOracle}.
 */
public final class FlavorAssigner {
  private final AdmissionState state;
  private final PreemptionOracle oracle;
  private final PriorHolding prior;

  public FlavorAssigner(AdmissionState state, PreemptionOracle oracle) {
    this(state, oracle, PriorHolding.NONE);
  }

  /**
   * One for a workload that holds quota already.
   *
   * @param prior has no effect on ladders
   */
  public FlavorAssigner(AdmissionState state, PreemptionOracle oracle, PriorHolding prior) {
    this.state = state;
    this.oracle = oracle;
    this.prior = prior;
  }

  /** What one more index of the job would be given now, with as few slices as it may do with. */
  public FlavorAssignment assign(JobEntry job) {
    return assign(job, ScanPositions.START);
  }

  /**
   * What one more index of the job would be given now, with as few slices as it may do with.
   *
   * @param positions where the search begins; it has no effect on ladders
   */
  public FlavorAssignment assign(JobEntry job, ScanPositions positions) {
    return assign(job, job.workload().shape().leastPodSets(), positions);
  }

  /** What it would be given if its pod sets were these, which differ in counts only. */
  public FlavorAssignment assign(JobEntry job, List<PodSet> podSets, ScanPositions positions) {
    if (job.workload().shape().computeClass() != null) {
      ComputeClass ladder = state.objects().computeClassOf(job);
      return ladder == null
          ? FlavorAssignment.nothing(List.of(), List.of())
          : new LadderWalk(state, oracle, job, podSets, ladder).walk();
    }
    return draft(job, podSets, positions, List.of());
  }

  /** What one more index of the job would be given now on a rung, whether it is closed or not. */
  public FlavorAssignment assignOn(JobEntry job, Rung rung) {
    WorkloadShape shape = job.workload().shape();
    return RungChoice.flavors(rung, shape, job.queue().spec(), state.objects()::flavor).isEmpty()
        ? FlavorAssignment.nothing(List.of(), List.of())
        : new AssignmentDraft(state, oracle, job, FlavorScope.of(rung), shape.podSets())
            .assignAll();
  }

  /** What it would be given now of the flavors that it was given before. */
  public FlavorAssignment assignAgain(
      JobEntry job, List<PodSet> podSets, List<PodSetAssignment> before) {
    return draft(job, podSets, ScanPositions.START, before);
  }

  private FlavorAssignment draft(
      JobEntry job, List<PodSet> podSets, ScanPositions positions, List<PodSetAssignment> kept) {
    FlavorScope scope = FlavorScope.all(positions, kept, prior);
    return new AssignmentDraft(state, oracle, job, scope, podSets).assignAll();
  }
}
