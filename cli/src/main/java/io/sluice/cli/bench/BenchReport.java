// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import io.sluice.cli.bench.Submitter.Submission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The results of a run, as written by {@code --out}. What is not known is null.
 *
 * @param complete whether every workload was submitted and every job has ended
 * @param reason why the run is not complete; null: it is
 * @param scheduling null for a run without a server, or if the events could not be read
 * @param databaseWritesPerJob null if the server does not tell
 * @param reference what another system achieved with the load; null: unknown
 */
record BenchReport(
    boolean complete,
    @Nullable String reason,
    Setup setup,
    @Nullable Scheduling scheduling,
    Submissions submissions,
    Processes processes,
    @Nullable DatabaseWrites databaseWritesPerJob,
    Load.@Nullable Reference reference) {
  private static final double DECIMALS = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MILLIS_PER_SECOND = 1_000;
  private static final int PERCENT = 100;

  /**
   * What was measured.
   *
   * @param begunAt start of the run
   * @param planned whether the queues plan starts
   * @param timeLimitFactor time limit of each job divided by its run time; null: no time limits
   * @param server null: the submissions were acknowledged by this command
   */
  record Setup(
      Instant begunAt,
      Size load,
      int callers,
      boolean planned,
      @Nullable Double timeLimitFactor,
      @Nullable Server server) {
    static Setup of(Instant begunAt, Load load, BenchSettings settings, @Nullable Server server) {
      return new Setup(
          begunAt,
          Size.of(load),
          settings.callers(),
          settings.planned(),
          settings.timeLimitFactor() == null ? null : settings.timeLimitFactor().doubleValue(),
          server);
    }
  }

  /**
   * The size of the load.
   *
   * @param capacityBoundSeconds work of a ClusterQueue divided by its nominal quota
   * @param lastArrivalSeconds when the last workload is to be submitted
   */
  record Size(
      String name,
      int cohorts,
      int clusterQueues,
      long workloads,
      double capacityBoundSeconds,
      double lastArrivalSeconds) {
    static Size of(Load load) {
      return new Size(
          load.name(),
          load.cohorts(),
          load.clusterQueues(),
          load.workloads(),
          rounded(load.capacityBoundSeconds()),
          load.lastArrival().toMillis() / MILLIS_PER_SECOND);
    }
  }

  /**
   * The server.
   *
   * @param own whether this command started it for the run
   * @param fileSystem type of the file system with the database of an own server; null: unknown
   */
  record Server(String url, String version, boolean own, @Nullable String fileSystem) {}

  /**
   * How the jobs were scheduled, by the events that the server recorded.
   *
   * @param wallSeconds from the start of the run to the last end of a job; null: none has ended
   * @param usefulUsagePercent capacity bound divided by the wall time; null: the run is incomplete
   * @param preemptedAttempts number of admissions that followed an earlier one of the same job
   * @param failed number of jobs that have ended without success
   */
  record Scheduling(
      @Nullable Double wallSeconds,
      @Nullable Double usefulUsagePercent,
      int ended,
      int failed,
      long preemptedAttempts,
      Rate admissions,
      List<TimeToAdmission> timeToAdmission) {
    Scheduling {
      timeToAdmission = List.copyOf(timeToAdmission);
    }

    static Scheduling of(Load load, JobHistories jobs, Instant begunAt, boolean complete) {
      Double wall = jobs.secondsToLastEnd(begunAt);
      List<TimeToAdmission> times = new ArrayList<>();
      for (int index = 0; index < load.classes().size(); index++) {
        times.add(
            TimeToAdmission.of(load.classes().get(index).name(), jobs.secondsToAdmission(index)));
      }
      return new Scheduling(
          wall == null ? null : rounded(wall),
          wall == null || !complete ? null : rounded(load.capacityBoundSeconds() / wall * PERCENT),
          jobs.ended(),
          jobs.failed(),
          jobs.readmissions(),
          Rate.of(jobs.admissions(), jobs.admissionSeconds()),
          times);
    }
  }

  /**
   * A number of moments, and how many of them there are in a second.
   *
   * @param perSecond number divided by the time from the first to the last; null if that is zero
   */
  record Rate(long count, @Nullable Double perSecond) {
    static Rate of(long count, double seconds) {
      return new Rate(count, seconds > 0 ? rounded(count / seconds) : null);
    }
  }

  /**
   * Times from the creation to the first admission of the jobs of a class.
   *
   * @param jobs number of jobs that were admitted
   * @param seconds null: none was admitted
   */
  record TimeToAdmission(String workloadClass, int jobs, @Nullable Spread seconds) {
    static TimeToAdmission of(String workloadClass, double[] seconds) {
      return new TimeToAdmission(
          workloadClass, seconds.length, seconds.length == 0 ? null : Spread.of(seconds));
    }
  }

  /** Mean, percentiles and maximum of values. */
  record Spread(double mean, double p50, double p95, double p99, double max) {
    static Spread of(double[] values) {
      Percentiles percentiles = new Percentiles(values);
      return new Spread(
          rounded(percentiles.mean()),
          rounded(percentiles.at(50)),
          rounded(percentiles.at(95)),
          rounded(percentiles.at(99)),
          rounded(percentiles.max()));
    }
  }

  /**
   * The submissions, as their sender saw them.
   *
   * @param acknowledged with their rate from the first to the last acknowledgement
   * @param latencyMillis from sending a request to its answer; null: none was acknowledged
   * @param lagOfLastSeconds how much later than its time the last workload was sent
   * @param longestLagSeconds the largest such delay of any workload
   */
  record Submissions(
      Rate acknowledged,
      @Nullable Spread latencyMillis,
      double lagOfLastSeconds,
      double longestLagSeconds) {
    static Submissions of(List<Submission> submissions) {
      if (submissions.isEmpty()) {
        return new Submissions(new Rate(0, null), null, 0, 0);
      }
      Submission last =
          Collections.max(submissions, Comparator.comparing(Submission::arrival, Arrival.IN_ORDER));
      long first = least(submissions, Submission::acknowledgedNanos);
      long latest = most(submissions, Submission::acknowledgedNanos);
      return new Submissions(
          Rate.of(submissions.size(), (latest - first) / NANOS_PER_SECOND),
          Spread.of(
              submissions.stream()
                  .mapToDouble(one -> one.latencyNanos() / NANOS_PER_MILLI)
                  .toArray()),
          rounded(last.lagNanos() / NANOS_PER_SECOND),
          rounded(most(submissions, Submission::lagNanos) / NANOS_PER_SECOND));
    }

    private static long least(List<Submission> all, ToLongFunction<Submission> value) {
      return all.stream().mapToLong(value).min().orElse(0);
    }

    private static long most(List<Submission> all, ToLongFunction<Submission> value) {
      return all.stream().mapToLong(value).max().orElse(0);
    }
  }

  /**
   * What processes used from the start of the run to the end of the last job. Null: unknown, as on
   * another machine.
   *
   * @param generatorCpuSeconds CPU time of this command
   */
  record Processes(
      ProcessSampler.@Nullable Use server,
      ProcessSampler.@Nullable Use database,
      @Nullable Double generatorCpuSeconds) {
    static Processes of(
        ProcessSampler.@Nullable Use server,
        ProcessSampler.@Nullable Use database,
        @Nullable Double generatorCpuSeconds) {
      return new Processes(
          roundedUse(server),
          roundedUse(database),
          generatorCpuSeconds == null ? null : rounded(generatorCpuSeconds));
    }

    private static ProcessSampler.@Nullable Use roundedUse(ProcessSampler.@Nullable Use use) {
      if (use == null) {
        return null;
      }
      Double cpu = use.cpuSeconds();
      Double peak = use.peakMebibytes();
      return new ProcessSampler.Use(
          cpu == null ? null : rounded(cpu), peak == null ? null : rounded(peak));
    }
  }

  private static double rounded(double value) {
    return Math.rint(value * DECIMALS) / DECIMALS;
  }
}
