// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.admission.topology.SliceStanding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The current state of the jobs, attempts, slices and usages that events changed, including ended
 * ones.
 *
 * @param jobs changed jobs, by id
 * @param attempts changed attempts, by key
 * @param slices changed slices, by name
 * @param localQueueUsage changed usages, by key; a usage without amounts is forgotten
 * @param evictions all remembered evictions; null if unchanged
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
