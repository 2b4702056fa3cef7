// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.TimeRange;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter of jobs.
 *
 * @param namespaces of which jobs match
 * @param queue name of a LocalQueue; null: all
 * @param clusterQueue null: all
 * @param name null: all
 * @param priorityClass name of the present priority class; null: all
 * @param computeClass name of the compute class; null: all
 * @param team as {@link JobTeam} defines it; null: all
 * @param states empty: all
 * @param held whether the job must be held, or must not; null: either
 * @param labels that a job must have
 * @param created when the job was created
 */
public record JobFilter(
    NamespaceScope namespaces,
    @Nullable String queue,
    @Nullable String clusterQueue,
    @Nullable String name,
    @Nullable String priorityClass,
    @Nullable String computeClass,
    @Nullable String team,
    List<JobState> states,
    @Nullable Boolean held,
    Labels labels,
    TimeRange created) {
  public JobFilter {
    states = List.copyOf(states);
  }

  /** The same with other states. */
  public JobFilter withStates(List<JobState> others) {
    return new JobFilter(
        namespaces,
        queue,
        clusterQueue,
        name,
        priorityClass,
        computeClass,
        team,
        others,
        held,
        labels,
        created);
  }

  /** The position of the last job of a page. */
  public record Cursor(Instant createdAt, JobId id) {}
}
