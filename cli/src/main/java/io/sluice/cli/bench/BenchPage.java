// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import io.sluice.cli.output.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Formats the results of a run as a table, with the values aligned at the right. Values of the
 * load's reference stand beside those of the run.
 */
final class BenchPage {
  private static final int VALUE_WIDTH = 12;
  private static final double BYTES_PER_KIBIBYTE = 1024;

  private final Load.@Nullable Reference reference;
  private final TextTable table;

  private BenchPage(Load.@Nullable Reference reference) {
    this.reference = reference;
    this.table =
        reference == null
            ? new TextTable("MEASURE", right("VALUE"), "UNIT")
            : new TextTable(
                "MEASURE",
                right("VALUE"),
                right(reference.system().toUpperCase(Locale.ROOT)),
                "UNIT");
  }

  static List<String> lines(BenchReport report) {
    BenchPage page = new BenchPage(report.reference());
    BenchReport.Scheduling scheduling = report.scheduling();
    if (scheduling != null) {
      page.addScheduling(scheduling);
    }
    page.addSubmissions(report.submissions());
    page.addProcesses(report.processes());
    DatabaseWrites writes = report.databaseWritesPerJob();
    if (writes != null) {
      Double walBytes = writes.walBytes();
      page.add(
          "write-ahead log of the database for each job",
          walBytes == null ? null : walBytes / BYTES_PER_KIBIBYTE,
          "KiB");
      page.add("rows written for each job", writes.rowsWritten(), "");
    }
    List<String> lines = new ArrayList<>();
    lines.add(heading(report));
    lines.addAll(page.table.lines());
    return lines;
  }

  private static String heading(BenchReport report) {
    BenchReport.Setup setup = report.setup();
    BenchReport.Size load = setup.load();
    BenchReport.Server server = setup.server();
    String on =
        server == null
            ? "without a server"
            : "%s server %s".formatted(server.own() ? "own" : "given", server.version());
    return String.format(
        Locale.ROOT,
        "%s%s: %,d workloads in %,d ClusterQueues of %,d cohorts, %d callers, %s queueing, %s, %s",
        load.name(),
        report.complete() ? "" : " (incomplete)",
        load.workloads(),
        load.clusterQueues(),
        load.cohorts(),
        setup.callers(),
        setup.planned() ? "planned" : "kueue",
        setup.timeLimitFactor() == null
            ? "no time limits"
            : "time limits x" + setup.timeLimitFactor(),
        on);
  }

  private void addScheduling(BenchReport.Scheduling scheduling) {
    Load.Reference other = reference;
    add("wall time", scheduling.wallSeconds(), other == null ? null : other.wallSeconds(), "s");
    add(
        "useful usage of nominal quota",
        scheduling.usefulUsagePercent(),
        other == null ? null : other.usefulUsagePercent(),
        "%");
    for (BenchReport.TimeToAdmission time : scheduling.timeToAdmission()) {
      BenchReport.Spread seconds = time.seconds();
      Double mean =
          other == null ? null : other.meanTimeToAdmissionSeconds().get(time.workloadClass());
      add(
          "mean time to admission, " + time.workloadClass(),
          seconds == null ? null : seconds.mean(),
          mean,
          "s");
      if (seconds != null) {
        add("  median", seconds.p50(), "s");
        add("  95th percentile", seconds.p95(), "s");
        add("  99th percentile", seconds.p99(), "s");
        add("  longest", seconds.max(), "s");
      }
    }
    add("admissions", scheduling.admissions().count());
    add("admissions per second", scheduling.admissions().perSecond(), "/s");
    add("preempted attempts", scheduling.preemptedAttempts());
    add("ended jobs", scheduling.ended());
    add("failed jobs", scheduling.failed());
  }

  private void addSubmissions(BenchReport.Submissions submissions) {
    add("acknowledged submissions", submissions.acknowledged().count());
    add("submissions per second", submissions.acknowledged().perSecond(), "/s");
    BenchReport.Spread latency = submissions.latencyMillis();
    if (latency != null) {
      add("median time to acknowledgement", latency.p50(), "ms");
      add("  99th percentile", latency.p99(), "ms");
      add("  longest", latency.max(), "ms");
    }
    add("last submission behind its time", submissions.lagOfLastSeconds(), "s");
    add("longest delay of a submission", submissions.longestLagSeconds(), "s");
  }

  private void addProcesses(BenchReport.Processes processes) {
    addUse("server", processes.server());
    addUse("database", processes.database());
    add("CPU time of the generator", processes.generatorCpuSeconds(), "s");
  }

  private void addUse(String name, ProcessSampler.@Nullable Use use) {
    if (use != null) {
      add("CPU time of the " + name, use.cpuSeconds(), "s");
      add("peak memory of the " + name, use.peakMebibytes(), "MiB");
    }
  }

  private void add(String measure, @Nullable Double value, String unit) {
    add(measure, value, null, unit);
  }

  private void add(String measure, long value) {
    row(measure, String.format(Locale.ROOT, "%,d", value) + "   ", "", "");
  }

  /** Adds a row; a value that is not known is a dash. */
  private void add(
      String measure, @Nullable Double value, @Nullable Double ofReference, String unit) {
    row(
        measure,
        value == null ? "-   " : String.format(Locale.ROOT, "%,.2f", value),
        ofReference == null ? "" : String.format(Locale.ROOT, "%,.2f", ofReference),
        unit);
  }

  private void row(String measure, String value, String ofReference, String unit) {
    if (reference == null) {
      table.add(measure, right(value), unit);
    } else {
      table.add(measure, right(value), right(ofReference), unit);
    }
  }

  private static String right(String text) {
    return " ".repeat(Math.max(0, VALUE_WIDTH - text.length())) + text;
  }
}
