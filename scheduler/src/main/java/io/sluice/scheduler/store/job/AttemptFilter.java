// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of a job to list, the newest first.
 *
 * @param index null: of every index
 * @param states states and outcomes, of which an attempt has to have one; empty: all attempts
 * @param before the last attempt of the page before; null: from the newest on
 */
public record AttemptFilter(
    JobId job, @Nullable Integer index, List<String> states, @Nullable Place before) {
  public AttemptFilter {
    states = List.copyOf(states);
  }

  /** The place of an attempt in the list. */
  public record Place(Instant admittedAt, int index, int number) {}
}
