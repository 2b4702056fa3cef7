// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import java.util.Comparator;
import java.util.List;

/** The jobs of a trace, in the order in which they are queued: by submit time, then by id. */
public record Trace(List<TraceJob> jobs) {
  /** The order of a queue. */
  static final Comparator<TraceJob> ORDER =
      Comparator.comparingLong(TraceJob::submitSeconds).thenComparingLong(TraceJob::id);

  public Trace {
    jobs = jobs.stream().sorted(ORDER).toList();
  }

  /** Returns the number of jobs with an estimate. */
  public long countEstimates() {
    return jobs.stream().filter(job -> job.estimateSeconds() != null).count();
  }
}
