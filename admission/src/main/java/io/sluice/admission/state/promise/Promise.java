// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.promise;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageForecast.Span;
import io.sluice.queuemodel.event.PlannedStart;
import java.util.List;

/**
 * A planned start with its usage.
 *
 * @param root root of its queue's quota tree
 * @param from first time of the usage, in {@link Ticks}; {@link Ticks#NEVER} without a time
 * @param to end of the usage
 */
public record Promise(JobEntry job, PlannedStart start, Usage usage, int root, long from, long to) {
  /** Returns whether it has a time. */
  public boolean dated() {
    return from != Ticks.NEVER;
  }

  /**
   * Returns whether it is without a time and holds nominal quota for a job without slices, in an
   * order that does not change by itself. Then it depends on nothing but its own queue.
   */
  boolean holdsNominalQuotaAlone() {
    return !dated()
        && job.workload().shape().accelerator() == null
        && job.queue().holdsNominalQuota()
        && !job.queue().servesByUsage();
  }

  /** Returns the slices that are kept for it. */
  public List<String> slices() {
    return start.wanted().slices();
  }

  /** Returns its usage with its times. */
  public Span span() {
    return new Span(usage, from, to);
  }
}
