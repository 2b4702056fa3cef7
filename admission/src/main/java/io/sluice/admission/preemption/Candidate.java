// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preemption;

import io.sluice.admission.ordering.UsageShare;
import io.sluice.admission.ordering.VictimCost;
import io.sluice.admission.ordering.VictimOrder;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.PreemptionReason;
import io.sluice.queuemodel.job.Workload;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A candidate for preemption: an attempt that may be evicted, or a claim that may be ended.
 *
 * @param attempt null if the candidate is a claim
 * @param claim null if the candidate is an attempt
 * @param commonCohort lowest common ancestor of both queues; -1 if there is none or it is
 *     irrelevant
 * @param cost what its preemption loses
 */
record Candidate(
    @Nullable Attempt attempt,
    @Nullable ClaimState claim,
    Ground ground,
    int commonCohort,
    VictimCost cost)
    implements VictimOrder.Orderable {

  /** The rule that permits the preemption. */
  enum Ground {
    /** The candidate is preemptible and has lower priority. */
    CONSENT(PreemptionReason.PREEMPTIBLE),
    /** The preemptor's subtree has enough quota, and the candidate is outside of it. */
    HIERARCHY(PreemptionReason.IN_COHORT_RECLAMATION),
    /** The candidate has lower priority; the preemptor's queue may not borrow in exchange. */
    PRIORITY_WITHOUT_BORROWING(PreemptionReason.IN_COHORT_RECLAMATION),
    /** The candidate has lower priority; the preemptor's queue may also borrow. */
    PRIORITY_WHILE_BORROWING(PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING),
    /** The candidate is behind the preemptor in the same queue. */
    SAME_QUEUE(PreemptionReason.IN_CLUSTER_QUEUE),
    /** The candidate's side has a larger share than is fair. */
    SHARE(PreemptionReason.IN_COHORT_FAIR_SHARING),
    /** The candidate uses nominal quota of the preemptor's queue, regardless of shares. */
    ENTITLEMENT(PreemptionReason.IN_COHORT_RECLAMATION);

    private final PreemptionReason reason;

    Ground(PreemptionReason reason) {
      this.reason = reason;
    }

    PreemptionReason reason() {
      return reason;
    }

    /** Returns the rank in the search order; cheapest preemptions first. */
    int rank() {
      return switch (this) {
        case CONSENT -> 0;
        case HIERARCHY -> 1;
        case PRIORITY_WITHOUT_BORROWING, PRIORITY_WHILE_BORROWING, SHARE, ENTITLEMENT -> 2;
        case SAME_QUEUE -> 3;
      };
    }
  }

  static Candidate of(Attempt attempt, Ground ground, int commonCohort, VictimCost cost) {
    return new Candidate(attempt, null, ground, commonCohort, cost);
  }

  static Candidate of(ClaimState claim, Ground ground, int commonCohort) {
    return new Candidate(null, claim, ground, commonCohort, VictimCost.NONE);
  }

  Candidate on(Ground other) {
    return new Candidate(attempt, claim, other, commonCohort, cost);
  }

  /** Orders candidates for a preemptor's queue by Kueue's rules. */
  static Comparator<Candidate> inKueuesOrder(String preemptorsQueue) {
    return searchOrder(VictimOrder.seenFrom(preemptorsQueue));
  }

  /** Orders candidates for a preemptor's queue by cost, where Kueue's rules allow them equally. */
  static Comparator<Candidate> byCost(String preemptorsQueue) {
    return searchOrder(VictimOrder.byCost(preemptorsQueue));
  }

  private static Comparator<Candidate> searchOrder(Comparator<Candidate> last) {
    return (one, other) -> {
      int order = Boolean.compare(one.claim() == null, other.claim() == null);
      order = order == 0 ? Boolean.compare(other.leaving(), one.leaving()) : order;
      order = order == 0 ? Integer.compare(one.ground().rank(), other.ground().rank()) : order;
      return order == 0 ? last.compare(one, other) : order;
    };
  }

  JobEntry job() {
    if (attempt != null) {
      return attempt.job();
    }
    return claimState().job();
  }

  private ClaimState claimState() {
    if (claim == null) {
      throw new IllegalStateException("candidate has neither attempt nor claim");
    }
    return claim;
  }

  QueueState queue() {
    return job().queue();
  }

  @Override
  public Workload workload() {
    return job().workload();
  }

  @Override
  public String clusterQueue() {
    return queue().name();
  }

  /** Claims hold nothing yet, so they count as the newest. */
  @Override
  public Instant admittedAt() {
    return attempt == null ? Instant.MAX : attempt.admittedAt();
  }

  @Override
  public int index() {
    return attempt == null ? claimState().claim().holder().index() : attempt.key().index();
  }

  @Override
  public boolean leaving() {
    return attempt != null && attempt.draining();
  }

  @Override
  public @Nullable UsageShare localQueueUsage() {
    return queue().usageShare(workload().queue());
  }

  Usage usage() {
    return attempt == null ? claimState().usage() : attempt.usage();
  }

  List<String> slices() {
    return attempt == null ? claimState().claim().wanted().slices() : attempt.assignment().slices();
  }
}
