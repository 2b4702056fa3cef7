// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.projection;

import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The future of a state if all attempts run to their latest end and nothing arrives.
 *
 * @param begun virtual time at the beginning
 * @param until virtual time up to which everything is decided
 * @param truncated whether a bound stopped it before its horizon
 * @param jobs jobs that run at the beginning, or start, seek capacity or are evicted by then; the
 *     others wait until then
 */
public record Projection(
    Instant begun, Instant until, boolean truncated, SortedMap<JobId, ProjectedJob> jobs) {
  public Projection {
    jobs = Collections.unmodifiableSortedMap(new TreeMap<>(jobs));
  }
}
