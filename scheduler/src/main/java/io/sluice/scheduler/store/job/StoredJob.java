// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.HeadStart;
import io.sluice.admission.state.record.Hold;
import io.sluice.admission.state.record.LimitChange;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.WorkloadPriority;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job as stored.
 *
 * @param manifest its JSON, as submitted
 */
public record StoredJob(
    JobId id,
    String manifest,
    Queue queue,
    JobState state,
    Indices indices,
    String message,
    Origin origin,
    @Nullable Instant finishedAt) {
  /**
   * The origin of a job.
   *
   * @param submittedBy empty if unknown
   */
  public record Origin(String namespace, String name, String submittedBy, Instant createdAt) {}

  /**
   * The queue of a job, and its place there.
   *
   * @param priority its present priority
   * @param changedClass the priority class that it was given later; null: none
   * @param hold null: it is not held
   * @param headStart null: it is ordered by its age
   * @param planned its planned start; null: it has none
   * @param changedLimit the change of its time limit; null: it has the submitted one
   */
  public record Queue(
      String clusterQueue,
      WorkloadPriority priority,
      @Nullable String changedClass,
      @Nullable Hold hold,
      @Nullable HeadStart headStart,
      @Nullable PlannedStart planned,
      @Nullable LimitChange changedLimit) {}

  /**
   * The progress of a job's indices.
   *
   * @param live number of indices with a live attempt
   * @param attempts total number of attempts
   * @param progress the latest progress of its live attempts, and the start of the first stall
   * @param checkpoint from which a later start continues; null: none, or the job is an array
   */
  public record Indices(
      int count,
      IndexRanges succeeded,
      IndexRanges failed,
      int live,
      int attempts,
      AttemptRecord.Progress progress,
      @Nullable String checkpoint) {
    /** Number of indices that wait to be admitted. */
    public int pending() {
      return count - succeeded.size() - failed.size() - live;
    }
  }
}
