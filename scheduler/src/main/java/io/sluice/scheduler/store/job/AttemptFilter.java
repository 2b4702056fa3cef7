// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.TimeRange;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter for a list of a job's attempts, the newest first.
 *
 * @param index null: all indices
 * @param states states and outcomes, one of which an attempt must have; empty: all attempts
 * @param admitted when the attempt was admitted
 * @param before the last attempt of the previous page; null: starts with the newest
 */
public record AttemptFilter(
    JobId job,
    @Nullable Integer index,
    List<String> states,
    TimeRange admitted,
    @Nullable Place before) {
  public AttemptFilter {
    states = List.copyOf(states);
  }

  /** The position of an attempt in the list. */
  public record Place(Instant admittedAt, int index, int number) {}
}
