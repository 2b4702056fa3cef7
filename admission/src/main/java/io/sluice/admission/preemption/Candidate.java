// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preemption;

import io.sluice.admission.ordering.UsageShare;
import io.sluice.admission.ordering.VictimOrder;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.PreemptionReason;
import io.sluice.queuemodel.job.Workload;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who could make room: an attempt by ending, or a claim by being given up.
 *
 * @param attempt null: it is a claim
 * @param claim null: it is an attempt
 * @param commonCohort the lowest node above both queues; -1 if there is none or it does not matter
 */
record Candidate(
    @Nullable Attempt attempt, @Nullable ClaimState claim, Ground ground, int commonCohort)
    implements VictimOrder.Orderable {

  /** On what ground it may be made to. */
  enum Ground {
    /** It consented to go for higher-priority work. */
    CONSENT(PreemptionReason.PREEMPTIBLE),
    /** The preemptor's subtree has the quota, and the candidate is outside of it. */
    HIERARCHY(PreemptionReason.IN_COHORT_RECLAMATION),
    /** It has lower priority; the preemptor's queue may not borrow in exchange. */
    PRIORITY_WITHOUT_BORROWING(PreemptionReason.IN_COHORT_RECLAMATION),
    /** It has lower priority; the preemptor's queue may even borrow. */
    PRIORITY_WHILE_BORROWING(PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING),
    /** It stands behind the preemptor in one queue. */
    SAME_QUEUE(PreemptionReason.IN_CLUSTER_QUEUE),
    /** Its side uses more of what is shared than is fair. */
    SHARE(PreemptionReason.IN_COHORT_FAIR_SHARING),
    /** It uses what the preemptor's queue has of its own, whatever the shares. */
    ENTITLEMENT(PreemptionReason.IN_COHORT_RECLAMATION);

    private final PreemptionReason reason;

    Ground(PreemptionReason reason) {
      this.reason = reason;
    }

    PreemptionReason reason() {
      return reason;
    }

    /** Place in the order of search: those whom it costs least first. */
    int rank() {
      return switch (this) {
        case CONSENT -> 0;
        case HIERARCHY -> 1;
        case PRIORITY_WITHOUT_BORROWING, PRIORITY_WHILE_BORROWING, SHARE, ENTITLEMENT -> 2;
        case SAME_QUEUE -> 3;
      };
    }
  }

  static Candidate of(Attempt attempt, Ground ground, int commonCohort) {
    return new Candidate(attempt, null, ground, commonCohort);
  }

  static Candidate of(ClaimState claim, Ground ground, int commonCohort) {
    return new Candidate(null, claim, ground, commonCohort);
  }

  Candidate on(Ground other) {
    return new Candidate(attempt, claim, other, commonCohort);
  }

  JobEntry job() {
    if (attempt != null) {
      return attempt.job();
    }
    return claimState().job();
  }

  private ClaimState claimState() {
    if (claim == null) {
      throw new IllegalStateException("neither attempt nor claim");
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
