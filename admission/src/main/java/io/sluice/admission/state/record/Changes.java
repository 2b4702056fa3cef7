// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.admission.topology.SliceStanding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs, attempts, slices and usage that events touched, as they are now, ended ones included.
 *
 * @param jobs by id
 * @param attempts by key
 * @param slices by name
 * @param localQueueUsage by key; without amounts: it is forgotten
 * @param evictions all that are remembered; null: they are those of before
 */
public record Changes(
    List<JobRecord> jobs,
    List<AttemptRecord> attempts,
    List<SliceStanding> slices,
    List<DecayedUsage> localQueueUsage,
    @Nullable List<Eviction> evictions) {
  public Changes {
    jobs = List.copyOf(jobs);
    attempts = List.copyOf(attempts);
    slices = List.copyOf(slices);
    localQueueUsage = List.copyOf(localQueueUsage);
    evictions = evictions == null ? null : List.copyOf(evictions);
  }
}
