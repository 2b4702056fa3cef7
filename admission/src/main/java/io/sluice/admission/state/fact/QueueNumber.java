// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import io.sluice.queuemodel.job.Workload;
import java.time.Instant;

/**
 * Where a workload stands in a queue, as numbers: priority and time to the second, then the rest.
 */
final class QueueNumber {
  private static final long SECOND_MAX = (1L << Integer.SIZE) - 1;

  private QueueNumber() {}

  /** The smaller one is first; between equal ones more decides. */
  static long of(Workload workload) {
    long second = Math.max(0, Math.min(workload.standsAt().getEpochSecond(), SECOND_MAX));
    return ((long) ~workload.priority().value() << Integer.SIZE) | second;
  }

  /** The time within its second; 0 where the number does not hold the second. */
  static int nanos(Workload workload) {
    Instant at = workload.standsAt();
    long second = at.getEpochSecond();
    return second > 0 && second < SECOND_MAX ? at.getNano() : 0;
  }
}
