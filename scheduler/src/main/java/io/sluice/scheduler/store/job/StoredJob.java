// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.HeadStart;
import io.sluice.admission.state.record.Hold;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.WorkloadPriority;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job as its row has it.
 *
 * @param manifest its JSON, as it was submitted
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
   * Where it comes from.
   *
   * @param submittedBy empty if that was not known
   */
  public record Origin(String namespace, String name, String submittedBy, Instant createdAt) {}

  /**
   * Where it stands in line.
   *
   * @param priority that it has now
   * @param changedClass the priority class that it was given since; null: none
   * @param hold null: it is not held
   * @param headStart null: it stands by its age
   */
  public record Queue(
      String clusterQueue,
      WorkloadPriority priority,
      @Nullable String changedClass,
      @Nullable Hold hold,
      @Nullable HeadStart headStart) {}

  /**
   * How its indices stand.
   *
   * @param live how many have a live attempt
   * @param attempts how many attempts there have been in all
   * @param progress the latest of its live attempts, and since when the first of them is stalled
   * @param checkpoint what a later start goes on from; null: none, or it is an array
   */
  public record Indices(
      int count,
      IndexRanges succeeded,
      IndexRanges failed,
      int live,
      int attempts,
      AttemptRecord.Progress progress,
      @Nullable String checkpoint) {
    /** How many wait to be admitted. */
    public int pending() {
      return count - succeeded.size() - failed.size() - live;
    }
  }
}
