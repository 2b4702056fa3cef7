// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.event.AttemptReport;

/** Takes what executors say and stores it. */
@FunctionalInterface
public interface ReportSink {
  /**
   * Stores the report, now or when the database is back; reports of one attempt keep their order.
   */
  void report(AttemptReport report);

  /** Stores what an attempt hands on, no later than the report of its end, which comes after it. */
  default void output(AttemptOutput output) {}
}
