// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.topology.SliceStanding;
import java.util.List;

/**
 * The jobs, attempts, slices and usage that events touched, as they are now, ended ones included.
 *
 * @param jobs by id
 * @param attempts by key
 * @param slices by name
 * @param localQueueUsage by key; without amounts: it is forgotten
 */
public record Changes(
    List<JobRecord> jobs,
    List<AttemptRecord> attempts,
    List<SliceStanding> slices,
    List<DecayedUsage> localQueueUsage) {
  public Changes {
    jobs = List.copyOf(jobs);
    attempts = List.copyOf(attempts);
    slices = List.copyOf(slices);
    localQueueUsage = List.copyOf(localQueueUsage);
  }
}
