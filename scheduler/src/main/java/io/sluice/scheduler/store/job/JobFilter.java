// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list, the newest first.
 *
 * @param namespace null: every one
 * @param queue name of a LocalQueue; null: every one
 * @param clusterQueue null: every one
 * @param name null: every one
 * @param states empty: all
 * @param held whether it must be held, or must not; null: either
 * @param labels that a job must have
 * @param before the last job of the page before; null: from the newest on
 */
public record JobFilter(
    @Nullable String namespace,
    @Nullable String queue,
    @Nullable String clusterQueue,
    @Nullable String name,
    List<JobState> states,
    @Nullable Boolean held,
    Labels labels,
    @Nullable Cursor before) {
  public JobFilter {
    states = List.copyOf(states);
  }

  /** Where a page ended. */
  public record Cursor(Instant createdAt, JobId id) {}
}
