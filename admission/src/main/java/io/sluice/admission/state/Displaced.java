// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.PriorityChange;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that lost room to a claim or an attempt and may not evict it in turn; otherwise preemption
 * would not terminate. A later change of either job's priority lifts the restriction, because
 * priority changes of callers cannot form such a cycle.
 */
public final class Displaced {
  private Displaced() {}

  /** Returns the jobs that may not take the claim. */
  public static List<JobId> by(ClaimState claim, AdmissionState state) {
    return claim.claim().displaced().stream()
        .filter(id -> isBound(state.findJob(id), claim.job(), claim.claim().madeAt()))
        .toList();
  }

  /** Returns the jobs that may not evict the attempt. */
  public static List<JobId> by(Attempt attempt, AdmissionState state) {
    return attempt.displaced().stream()
        .filter(id -> isBound(state.findJob(id), attempt.job(), attempt.admittedAt()))
        .toList();
  }

  /** Returns whether a job lost room to the claim and may not take it. */
  public static boolean by(ClaimState claim, JobEntry job) {
    return claim.claim().displaced().contains(job.id())
        && isBound(job, claim.job(), claim.claim().madeAt());
  }

  /** Returns whether a job lost room to the attempt and may not evict it. */
  public static boolean by(Attempt attempt, JobEntry job) {
    return attempt.displaced().contains(job.id())
        && isBound(job, attempt.job(), attempt.admittedAt());
  }

  private static boolean isBound(
      @Nullable JobEntry loser, JobEntry winner, @Nullable Instant servedAt) {
    return servedAt == null || (!changedAfter(loser, servedAt) && !changedAfter(winner, servedAt));
  }

  private static boolean changedAfter(@Nullable JobEntry job, Instant time) {
    PriorityChange change = job == null ? null : job.priorityChange();
    return change != null && change.at().isAfter(time);
  }
}
