// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import io.sluice.queuemodel.job.JobSpec;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run that a schedule will begin, unless something changes before.
 *
 * @param version of the pipeline, as it is now
 * @param dueAt when it begins, with the jitter
 * @param jobs by step, in the order of their dependencies, the exit handler last
 */
public record UpcomingRun(
    String namespace,
    String pipeline,
    int version,
    String schedule,
    Instant logicalTime,
    Instant dueAt,
    List<Wanted> jobs) {
  public UpcomingRun {
    jobs = List.copyOf(jobs);
  }

  /**
   * The jobs of a step.
   *
   * @param first whether the step depends on no other
   * @param count number of jobs, if known
   * @param job the first of them, as it would be submitted now; null: not known before the run
   * @param unknown why not, for people; empty: it is known
   */
  public record Wanted(
      String step, boolean first, @Nullable Integer count, @Nullable JobSpec job, String unknown) {}
}
