// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.pipeline;

import io.sluice.queuemodel.event.FailureCause;
import java.time.Duration;
import java.util.List;

/**
 * The retry policy for failed jobs of a step. What the job retries by itself ({@code maxFailures}
 * of its template) is part of one try.
 *
 * @param limit further tries; 0: the first is the last
 * @param causes for which it is tried again; none named: for all
 * @param backoff before the second try; it doubles with each further one, up to an hour
 */
public record StepRetry(int limit, List<FailureCause> causes, Duration backoff) {
  public static final StepRetry NONE = new StepRetry(0, List.of(), Duration.ofSeconds(10));

  public StepRetry {
    causes = List.copyOf(causes);
  }
}
