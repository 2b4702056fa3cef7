// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import io.sluice.queuemodel.job.Workload;
import java.time.Instant;

/**
 * Encodes a workload's place in a queue as numbers: priority and second in one, nanoseconds in
 * another.
 */
final class QueueNumber {
  private static final long SECOND_MAX = (1L << Integer.SIZE) - 1;

  private QueueNumber() {}

  /** Returns the primary sort key; smaller is first, and equal keys need further comparison. */
  static long of(Workload workload) {
    long second = Math.max(0, Math.min(workload.standsAt().getEpochSecond(), SECOND_MAX));
    return ((long) ~workload.priority().value() << Integer.SIZE) | second;
  }

  /** Returns the nanoseconds within the second; 0 if the primary key cannot hold the second. */
  static int nanos(Workload workload) {
    Instant at = workload.standsAt();
    long second = at.getEpochSecond();
    return second > 0 && second < SECOND_MAX ? at.getNano() : 0;
  }
}
