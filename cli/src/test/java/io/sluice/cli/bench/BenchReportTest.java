// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.sluice.cli.bench.Submitter.Submission;
import io.sluice.restmodel.event.WatchedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The arithmetic of reports, from events and submissions that are given. */
class BenchReportTest {
  private static final Instant BEGUN = Instant.parse("2026-11-28T10:00:00Z");

  private static Submission submission(String id, int classIndex, long dueMillis, long lagMillis) {
    long sent = TimeUnit.MILLISECONDS.toNanos(dueMillis + lagMillis);
    long latency = TimeUnit.MILLISECONDS.toNanos(4);
    return new Submission(id, new Arrival(dueMillis, 0, classIndex, 1), sent, sent + latency);
  }

  private static WatchedEvent event(String job, String kind, String state, double seconds) {
    return new WatchedEvent(
        "1.0",
        1,
        0,
        at(seconds),
        kind,
        "",
        new WatchedEvent.ChangedObject("Job", null, null, state, null),
        new WatchedEvent.ChangedJob(job, null, null, null, null, null, null),
        null);
  }

  private static Instant at(double seconds) {
    return BEGUN.plusMillis(Math.round(seconds * 1_000));
  }

  private static JobHistories histories() {
    JobHistories jobs =
        new JobHistories(
            List.of(
                submission("a", 0, 10, 0), submission("b", 0, 20, 0), submission("c", 1, 15, 0)));
    jobs.created("a", at(0.010));
    jobs.created("b", at(0.020));
    jobs.created("c", at(0.015));
    jobs.created("of-others", at(0.001));
    jobs.take(event("of-others", "Admitted", "ADMITTED", 0.002));
    jobs.take(event("a", "JobEnqueued", "PENDING", 0.012));
    jobs.take(event("a", "Admitted", "ADMITTED", 0.060));
    jobs.take(event("a", "AttemptEnded", "ENDED", 0.070));
    jobs.take(event("c", "Admitted", "ADMITTED", 0.080));
    jobs.take(event("a", "Admitted", "ADMITTED", 0.300));
    jobs.take(event("b", "Admitted", "ADMITTED", 0.560));
    return jobs;
  }

  @Test
  void timesCountFromTheCreationToTheFirstAdmission() {
    JobHistories jobs = histories();
    jobs.take(event("a", "JobFinished", "SUCCEEDED", 0.4));
    jobs.take(event("c", "JobFinished", "FAILED", 0.5));
    jobs.take(event("b", "JobFinished", "SUCCEEDED", 0.8));
    BenchReport.Scheduling scheduling = BenchReport.Scheduling.of(Loads.tiny(), jobs, BEGUN, true);
    assertThat(scheduling.wallSeconds()).isEqualTo(0.8);
    // (2 x 1 CPU x 20 ms + 4 CPU x 30 ms) / 4 CPU = 40 ms of 800 ms.
    assertThat(scheduling.usefulUsagePercent()).isEqualTo(5.0);
    assertThat(scheduling.ended()).isEqualTo(3);
    assertThat(scheduling.failed()).isEqualTo(1);
    assertThat(scheduling.preemptedAttempts()).isEqualTo(1);
    assertThat(scheduling.admissions()).isEqualTo(new BenchReport.Rate(4, 8.0));
    assertThat(scheduling.timeToAdmission())
        .containsExactly(
            new BenchReport.TimeToAdmission(
                "small", 2, new BenchReport.Spread(0.295, 0.05, 0.54, 0.54, 0.54)),
            new BenchReport.TimeToAdmission(
                "large", 1, new BenchReport.Spread(0.065, 0.065, 0.065, 0.065, 0.065)));
  }

  @Test
  void anIncompleteRunHasNoUsefulUsage() {
    JobHistories jobs = histories();
    assertThat(BenchReport.Scheduling.of(Loads.tiny(), jobs, BEGUN, false).wallSeconds()).isNull();
    jobs.take(event("a", "JobFinished", "SUCCEEDED", 0.4));
    // A repetition of an event counts once.
    jobs.take(event("a", "JobFinished", "SUCCEEDED", 0.4));
    BenchReport.Scheduling scheduling = BenchReport.Scheduling.of(Loads.tiny(), jobs, BEGUN, false);
    assertThat(scheduling.wallSeconds()).isEqualTo(0.4);
    assertThat(scheduling.usefulUsagePercent()).isNull();
    assertThat(scheduling.ended()).isEqualTo(1);
  }

  @Test
  void aClassOfWhichNoneWasAdmittedHasNoTimes() {
    JobHistories jobs = new JobHistories(List.of(submission("a", 0, 10, 0)));
    BenchReport.Scheduling scheduling = BenchReport.Scheduling.of(Loads.tiny(), jobs, BEGUN, false);
    assertThat(scheduling.timeToAdmission())
        .containsExactly(
            new BenchReport.TimeToAdmission("small", 0, null),
            new BenchReport.TimeToAdmission("large", 0, null));
    assertThat(scheduling.admissions()).isEqualTo(new BenchReport.Rate(0, null));
  }

  @Test
  void submissionsHaveTheirRateTheirLatencyAndTheirLag() {
    BenchReport.Submissions submissions =
        BenchReport.Submissions.of(
            List.of(
                submission("c", 0, 2_000, 30),
                submission("a", 0, 0, 0),
                submission("b", 1, 1_000, 400)));
    assertThat(submissions.acknowledged().count()).isEqualTo(3);
    assertThat(submissions.acknowledged().perSecond()).isCloseTo(3 / 2.03, within(0.001));
    assertThat(submissions.latencyMillis()).isEqualTo(new BenchReport.Spread(4, 4, 4, 4, 4));
    assertThat(submissions.lagOfLastSeconds()).isEqualTo(0.03);
    assertThat(submissions.longestLagSeconds()).isEqualTo(0.4);
    assertThat(BenchReport.Submissions.of(List.of()))
        .isEqualTo(new BenchReport.Submissions(new BenchReport.Rate(0, null), null, 0, 0));
  }

  @Test
  void percentilesAreThoseOfTheNearestRank() {
    double[] hundred = IntStream.rangeClosed(1, 100).mapToDouble(n -> 101 - n).toArray();
    Percentiles percentiles = new Percentiles(hundred);
    assertThat(percentiles.at(50)).isEqualTo(50);
    assertThat(percentiles.at(95)).isEqualTo(95);
    assertThat(percentiles.at(99)).isEqualTo(99);
    assertThat(percentiles.at(100)).isEqualTo(100).isEqualTo(percentiles.max());
    assertThat(percentiles.mean()).isEqualTo(50.5);
    Percentiles three = new Percentiles(new double[] {30, 10, 20});
    assertThat(three.at(1)).isEqualTo(10);
    assertThat(three.at(50)).isEqualTo(20);
    assertThat(three.at(67)).isEqualTo(30);
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new Percentiles(new double[0]));
  }

  @Test
  void writesOfTheDatabaseAreForEachJob() {
    DatabaseWrites before = new DatabaseWrites(1_000.0, null);
    DatabaseWrites after = new DatabaseWrites(5_000.0, 70.0);
    assertThat(DatabaseWrites.perJob(before, after, 4))
        .isEqualTo(new DatabaseWrites(1_000.0, null));
    assertThat(DatabaseWrites.perJob(after, before, 4)).isNull();
    assertThat(DatabaseWrites.perJob(before, after, 0)).isNull();
  }

  @Test
  void thePageShowsTheReferenceBesideTheRun() {
    JobHistories jobs = histories();
    jobs.take(event("a", "JobFinished", "SUCCEEDED", 0.4));
    BenchReport report =
        new BenchReport(
            false,
            "interrupted",
            BenchReport.Setup.of(
                BEGUN,
                Loads.tiny(),
                new BenchSettings(64, false, null, Duration.ofMinutes(1)),
                new BenchReport.Server("http://127.0.0.1:1", "0.1.0", true, "ext4")),
            BenchReport.Scheduling.of(Loads.tiny(), jobs, BEGUN, false),
            BenchReport.Submissions.of(List.of(submission("a", 0, 10, 0))),
            BenchReport.Processes.of(
                new ProcessSampler.Use(1.23456, 487.5), new ProcessSampler.Use(null, 99.0), null),
            new DatabaseWrites(2_048.0, null),
            Loads.tiny().reference());
    assertThat(BenchPage.lines(report))
        .contains(
            "tiny (incomplete): 6 workloads in 2 ClusterQueues of 1 cohorts, 64 callers,"
                + " kueue queueing, no time limits, own server 0.1.0",
            "MEASURE                                               VALUE          OTHER   UNIT",
            "wall time                                              0.40           3.50   s",
            "useful usage of nominal quota                          -              1.10   %",
            "mean time to admission, small                          0.30                  s",
            "mean time to admission, large                          0.07           1.25   s",
            "preempted attempts                                     1",
            "CPU time of the server                                 1.24                  s",
            "peak memory of the server                            487.50                  MiB",
            "CPU time of the database                               -                     s",
            "CPU time of the generator                              -                     s",
            "write-ahead log of the database for each job           2.00                  KiB",
            "rows written for each job                              -");
  }
}
