// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.event.AttemptReport;

/** Accepts reports and outputs of attempts from executors and stores them durably. */
@FunctionalInterface
public interface ReportSink {
  /**
   * Stores the report, now or when the database is back; reports of one attempt keep their order.
   */
  void report(AttemptReport report);

  /** Stores an attempt's output, no later than the report of its end, which must follow. */
  default void output(AttemptOutput output) {}
}
