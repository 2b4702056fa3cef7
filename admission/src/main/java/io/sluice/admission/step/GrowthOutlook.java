// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.PreemptionOracle;
import io.sluice.admission.flavor.RungTrial;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Supposition;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * Decides whether growth would take room or sought capacity from pending jobs within the minimum
 * time for which growth pays. It assumes that each attempt runs until its latest end, and is gone
 * if that comes before the checked time. It checks one job of each shape, whether or not the job
 * could be tried now.
 */
final class GrowthOutlook implements AutoCloseable {
  private final AdmissionState state;
  private final Attempt attempt;
  private final FlavorAssigner assigner;
  private final List<JobEntry> pending;
  private final Supposition future;
  private final boolean somebodyReclaims;

  /**
   * Creates an outlook.
   *
   * @param pending the pending jobs
   * @param by the time to check; attempts that are already ending are gone by then
   */
  GrowthOutlook(AdmissionState state, Attempt attempt, PendingShapes pending, Instant by) {
    this.state = state;
    this.attempt = attempt;
    this.assigner = new FlavorAssigner(state, PreemptionOracle.NOBODY);
    QuotaTree tree = state.ledger().tree();
    this.pending = pending.jobs();
    this.somebodyReclaims =
        pending.queues().stream().anyMatch(queue -> reclaims(tree, attempt.job().queue(), queue));
    this.future = new Supposition(state);
    if (!pending.jobs().isEmpty()) {
      for (Attempt other : state.attempts()) {
        suppose(other, by);
      }
    }
  }

  private void suppose(Attempt other, Instant by) {
    Instant end = other.latestEnd(state.policy().ends());
    if (other.equals(attempt)) {
      return;
    }
    if (other.leaving() || (end != null && !end.isAfter(by))) {
      future.gone(other);
    } else if (!other.settled()) {
      future.settled(other);
    }
  }

  /** Returns whether the attempt may grow from some slices to others, one more. */
  boolean allows(List<String> from, List<String> to) {
    boolean reclaimable = somebodyReclaims && borrowsMore(from, to);
    return !reclaimable && pending.stream().noneMatch(job -> loses(job, from, to));
  }

  /** Returns whether a job waits in another queue of the cohort that may evict borrowers. */
  private static boolean reclaims(QuotaTree tree, QueueState own, QueueState other) {
    return !other.equals(own)
        && tree.root(other.node()) == tree.root(own.node())
        && other.spec().policies().preemption().reclaimWithinCohort() != PreemptionPolicy.NEVER;
  }

  /** Growth beyond the queue's own quota would be evicted by jobs that may reclaim it. */
  private boolean borrowsMore(List<String> from, List<String> to) {
    Usage before = state.ledger().count(attempt.assignment().onSlices(from));
    Usage after = state.ledger().count(attempt.assignment().onSlices(to));
    try (Supposition its = new Supposition(state)) {
      its.on(attempt, from);
      for (int at = 0; at < after.size(); at++) {
        int number = after.flavorResource(at);
        long more = after.amount(at) - before.amountOf(number);
        if (more > 0 && state.ledger().promised().borrowingLevel(after.node(), number, more) > 0) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns whether a job that would find room, or quota for capacity that it seeks, no longer
   * finds it or finds it elsewhere. A job that waits for attempts to drain would then preempt
   * others.
   */
  private boolean loses(JobEntry job, List<String> from, List<String> to) {
    FlavorAssignment without = assign(job, from);
    FlavorAssignment with = assign(job, to);
    return without.mode() == AssignmentMode.FIT
        ? with.mode() != AssignmentMode.FIT || !flavors(with).equals(flavors(without))
        : !sought(with).containsAll(sought(without));
  }

  private static List<SortedMap<ResourceName, String>> flavors(FlavorAssignment assignment) {
    return assignment.podSets().stream().map(PodSetAssignment::flavors).toList();
  }

  private static List<Assignment> sought(FlavorAssignment assignment) {
    List<Assignment> sought = new ArrayList<>();
    for (RungTrial trial : assignment.trials()) {
      if (trial.wanted() != null) {
        sought.add(trial.wanted());
      }
    }
    return sought;
  }

  private FlavorAssignment assign(JobEntry job, List<String> slices) {
    try (Supposition its = new Supposition(state)) {
      its.on(attempt, slices);
      return assigner.assign(job);
    }
  }

  @Override
  public void close() {
    future.close();
  }
}
