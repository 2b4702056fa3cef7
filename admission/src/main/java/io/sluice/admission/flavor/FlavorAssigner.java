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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Assigns flavors to a workload, like Kueue's flavor assigner, with slices in place of node
 * topologies.
 *
 * <p>For each pod set and each resource group that it requests, it tries the group's flavors in the
 * queue's order. It skips a flavor whose nodes repel the pods. Otherwise, each resource fits, fits
 * after preemption, or does not fit, and the worst of these is the flavor's mode. Slices count as
 * one more resource of a flavor: it needs as many whole slices as requested. The queue's
 * fungibility decides when to stop and which flavor is better. Later pod sets see the amounts that
 * earlier ones take.
 *
 * <p>A workload with a compute class is searched rung by rung, see {@link LadderWalk}.
 *
 * <p>It changes nothing. The {@link PreemptionOracle} tells whether there are victims.
 */
public final class FlavorAssigner {
  /** Maximum number of combinations of flavors that are tried for a later start. */
  private static final int COMBINATIONS_MAX = 64;

  private final AdmissionState state;
  private final PreemptionOracle oracle;
  private final PriorHolding prior;

  public FlavorAssigner(AdmissionState state, PreemptionOracle oracle) {
    this(state, oracle, PriorHolding.NONE);
  }

  /**
   * Creates an assigner for a workload that already holds quota.
   *
   * @param prior quota already held; ignored on ladders
   */
  public FlavorAssigner(AdmissionState state, PreemptionOracle oracle, PriorHolding prior) {
    this.state = state;
    this.oracle = oracle;
    this.prior = prior;
  }

  /** Returns the assignment of one more index of the job now, with its minimum of slices. */
  public FlavorAssignment assign(JobEntry job) {
    return assign(job, ScanPositions.START);
  }

  /**
   * Returns the assignment of one more index of the job now, with its minimum of slices.
   *
   * @param positions where the search begins; ignored on ladders
   */
  public FlavorAssignment assign(JobEntry job, ScanPositions positions) {
    return assign(job, job.workload().shape().leastPodSets(), positions);
  }

  /** Returns the assignment with other pod sets, which differ only in counts. */
  public FlavorAssignment assign(JobEntry job, List<PodSet> podSets, ScanPositions positions) {
    if (job.workload().shape().computeClass() != null) {
      ComputeClass ladder = state.objects().computeClassOf(job);
      return ladder == null
          ? FlavorAssignment.nothing(List.of(), List.of())
          : new LadderWalk(state, oracle, job, podSets, ladder).walk();
    }
    return draft(job, podSets, positions, List.of());
  }

  /** Returns the assignment of one more index on a rung now, whether or not the rung is closed. */
  public FlavorAssignment assignOn(JobEntry job, Rung rung) {
    WorkloadShape shape = job.workload().shape();
    return RungChoice.flavors(rung, shape, job.queue().spec(), state.objects()::flavor).isEmpty()
        ? FlavorAssignment.nothing(List.of(), List.of())
        : new AssignmentDraft(state, oracle, job, FlavorScope.of(rung), shape.podSets())
            .assignAll();
  }

  /**
   * Returns the assignments that the job could have if nothing were in use, one for each
   * combination of flavors and rung, in the order of the queue; at most {@link #COMBINATIONS_MAX}.
   */
  public List<FlavorAssignment> inEmptyFleet(JobEntry job) {
    List<FlavorAssignment> found = new ArrayList<>();
    ComputeClass ladder = state.objects().computeClassOf(job);
    if (job.workload().shape().computeClass() == null) {
      addInEmptyFleet(job, null, null, found);
    } else if (ladder != null) {
      for (int number = 0; number < ladder.rungs().size(); number++) {
        addInEmptyFleet(job, ladder.rungs().get(number), number, found);
      }
    }
    return found;
  }

  private void addInEmptyFleet(
      JobEntry job, @Nullable Rung rung, @Nullable Integer number, List<FlavorAssignment> found) {
    List<PodSet> podSets = job.workload().shape().leastPodSets();
    for (List<String> flavors : FlavorCombinations.of(job.queue(), COMBINATIONS_MAX)) {
      List<PodSetAssignment> kept = FlavorCombinations.kept(podSets, flavors);
      FlavorScope scope = FlavorScope.inUse(rung, kept);
      FlavorAssignment one = new AssignmentDraft(state, oracle, job, scope, podSets).assignAll();
      boolean known = found.stream().anyMatch(other -> other.podSets().equals(one.podSets()));
      if (one.mode() == AssignmentMode.FIT && !known && found.size() < COMBINATIONS_MAX) {
        found.add(number == null ? one : one.onRung(number, List.of(), List.of()));
      }
    }
  }

  /** Returns the assignment now, restricted to flavors that were assigned before. */
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
