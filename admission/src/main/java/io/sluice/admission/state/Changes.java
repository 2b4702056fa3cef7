// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import java.util.List;

/**
 * The jobs and attempts that events touched, as they are now, ended ones included.
 *
 * @param jobs by id
 * @param attempts by key
 */
public record Changes(List<JobRecord> jobs, List<AttemptRecord> attempts) {
  public Changes {
    jobs = List.copyOf(jobs);
    attempts = List.copyOf(attempts);
  }
}
