// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.replay;

import io.sluice.cli.output.TextTable;
import io.sluice.simulator.replay.PromiseCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats the results of a replay as a table, with the values aligned at the right. */
final class ReplayPage {
  private static final int VALUE_WIDTH = 14;
  private static final int PERCENT = 100;

  private final TextTable table =
      new TextTable("MEASURE", " ".repeat(VALUE_WIDTH - 5) + "VALUE", "UNIT");

  private ReplayPage() {}

  static List<String> lines(ReplayReport report) {
    ReplayPage page = new ReplayPage();
    ReplayReport.Waits waits = report.waits();
    page.add("mean wait", waits.meanSeconds(), "s");
    page.add("median wait", waits.medianSeconds(), "s");
    page.add("95th percentile of waits", waits.p95Seconds(), "s");
    page.add("longest wait", waits.longestSeconds(), "s");
    page.add("mean of the 100 longest waits", waits.meanOfLongest100Seconds(), "s");
    page.add("mean wait weighted by work", waits.workWeightedMeanSeconds(), "s");
    page.add("mean bounded slowdown", waits.meanBoundedSlowdown(), "");
    page.add("utilization", report.machine().utilization() * PERCENT, "%");
    page.add("makespan", report.machine().makespanSeconds(), "s");
    if (report.promises().written() > 0) {
      page.addPromises(report.promises());
    }
    ReplayReport.Calibration calibration = report.calibration();
    if (calibration != null) {
      page.addCalibration(calibration);
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %,d jobs on %,d devices, policy %s, estimates %s (%,d in the trace), teams %s",
            report.trace(),
            report.size().jobs(),
            report.size().devices(),
            report.policy(),
            report.estimates(),
            report.size().withEstimate(),
            report.teams()));
    lines.addAll(page.table.lines());
    return lines;
  }

  private void addPromises(PromiseCounts promises) {
    add("planned starts written", promises.written(), "");
    add("moved to an earlier time", promises.movedEarlier(), "");
    add(
        "moved to a later time by backfill",
        promises.movedLater().getOrDefault(PromiseCounts.BACKFILL, 0L),
        "");
    for (Map.Entry<String, Long> cause : promises.movedLater().entrySet()) {
      if (!cause.getKey().equals(PromiseCounts.BACKFILL)) {
        add("moved to a later time, " + cause.getKey(), cause.getValue(), "");
      }
    }
    for (Map.Entry<String, Long> cause : promises.withdrawn().entrySet()) {
      add("withdrawn, " + cause.getKey(), cause.getValue(), "");
    }
    add("starts after the first planned time", promises.startsAfterFirst(), "");
    if (promises.startsAfterFirst() > 0) {
      add("longest such delay", promises.secondsAfterFirstMax(), "s");
    }
  }

  private void addCalibration(ReplayReport.Calibration calibration) {
    add("starts estimated, of waits above 60 s", calibration.jobs(), "");
    add("such waits without an estimate", calibration.withoutRange(), "");
    if (calibration.jobs() == 0) {
      return;
    }
    String stated = String.format(Locale.ROOT, "%.0f %%", calibration.confidence() * PERCENT);
    add("in the range stated to hold " + stated, calibration.inRange() * PERCENT, "%");
    for (ReplayReport.Decile decile : calibration.deciles()) {
      String range =
          String.format(
              Locale.ROOT,
              "  of stated medians from %,.0f to %,.0f s",
              decile.medianFromSeconds(),
              decile.medianToSeconds());
      add(range, decile.inRange() * PERCENT, "%");
    }
    add("median error of the stated median", calibration.medianErrorSeconds(), "s");
    add("mean interval score", calibration.meanScore(), "s");
    add("the same of the last 200 waits", calibration.baselineScore(), "s");
    if (calibration.baselineScore() > 0) {
      add("their ratio", calibration.meanScore() / calibration.baselineScore(), "");
    }
  }

  private void add(String measure, double value, String unit) {
    cell(measure, String.format(Locale.ROOT, "%,.2f", value), unit);
  }

  private void add(String measure, long value, String unit) {
    cell(measure, String.format(Locale.ROOT, "%,d", value) + "   ", unit);
  }

  private void cell(String measure, String value, String unit) {
    table.add(measure, " ".repeat(Math.max(0, VALUE_WIDTH - value.length())) + value, unit);
  }
}
