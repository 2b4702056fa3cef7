// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import io.sluice.cli.bench.Submitter.Submission;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.watching.Reconnection;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.restmodel.administration.ServerState;
import io.sluice.restmodel.job.JobCounts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run of a load on a server: applies the quota objects, submits the workloads, waits until all
 * jobs have ended, and reads what the server recorded. A run that cannot be completed reports what
 * it has.
 */
final class BenchRun {
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration SILENCE_MAX = Duration.ofSeconds(10);
  private static final Duration READING_MAX = Duration.ofMinutes(30);
  private static final Duration READING_MAX_OF_INCOMPLETE = Duration.ofSeconds(20);
  private static final Path PROC = Path.of("/proc");

  private final Load load;
  private final BenchSettings settings;
  private final TargetServer target;
  private final ServerClient client;
  private final StopReason stop;
  private final BenchProgress progress;

  BenchRun(
      Load load,
      BenchSettings settings,
      TargetServer target,
      StopReason stop,
      BenchProgress progress) {
    this.load = load;
    this.settings = settings;
    this.target = target;
    this.client = target.client();
    this.stop = stop;
    this.progress = progress;
  }

  /**
   * Runs the load.
   *
   * @throws ClientException if the server fails before the first submission
   */
  BenchReport run() throws InterruptedException {
    progress.step("applying the quota objects");
    for (byte[] body : QuotaManifests.bodies(load, settings.planned())) {
      client.postIdempotent("/v1/apply", body, null);
    }
    ServerState state = target.state();
    String place = HistoryReader.place(client);
    DatabaseWrites writesBefore = DatabaseWrites.read(client);
    Duration cpuBefore = generatorCpu();
    Submitter submitter = new Submitter(client, load, settings, stop);
    ProcessSampler processes = sampler(state);
    Instant begunAt;
    try (processes) {
      begunAt = submitter.start();
      awaitEnd(submitter);
    }
    Double cpu = secondsSince(cpuBefore);
    String end = stop.isSet() ? target.endOfOwn() : null;
    List<Submission> submissions = submitter.submissions();
    DatabaseWrites writesAfter = DatabaseWrites.read(client);
    JobHistories jobs = end == null ? histories(submissions, place) : null;
    boolean complete = !stop.isSet();
    return new BenchReport(
        complete,
        end == null ? stop.get() : end,
        BenchReport.Setup.of(begunAt, load, settings, server(state)),
        jobs == null ? null : BenchReport.Scheduling.of(load, jobs, begunAt, complete),
        BenchReport.Submissions.of(submissions),
        BenchReport.Processes.of(processes.server(), processes.database(), cpu),
        DatabaseWrites.perJob(writesBefore, writesAfter, submissions.size()),
        load.reference());
  }

  /** Measures the server's processes if they are on this machine. */
  private ProcessSampler sampler(ServerState state) {
    Path data = target.data();
    return ProcessSampler.start(
        new ProcessFiles(PROC),
        data == null ? null : state.pid(),
        data == null ? null : ProcessSampler.databasePid(data));
  }

  private BenchReport.Server server(ServerState state) {
    OwnServer own = target.own();
    return new BenchReport.Server(
        client.server().toString(),
        state.version(),
        own != null,
        own == null ? null : own.fileSystem());
  }

  /** Waits until the run is complete, or there is a reason to stop. */
  private void awaitEnd(Submitter submitter) throws InterruptedException {
    try {
      awaitSubmissions(submitter, settings.limit(), stop, progress);
      awaitJobs(submitter);
    } catch (ClientException failed) {
      stop.set(String.valueOf(failed.getMessage()));
    } finally {
      submitter.end();
    }
  }

  /** Waits until all workloads are submitted, or there is a reason to stop. */
  static void awaitSubmissions(
      Submitter submitter, Duration limit, StopReason stop, BenchProgress progress)
      throws InterruptedException {
    while (!submitter.isDone() && !stop.isSet()) {
      progress.submitting(submitter.acknowledged(), submitter.workloads(), submitter.elapsed());
      stopAtLimit(submitter, limit, stop);
      Thread.sleep(POLL.toMillis());
    }
  }

  /** Waits until all jobs have ended, or there is a reason to stop. */
  private void awaitJobs(Submitter submitter) throws InterruptedException {
    // Only the live jobs: counts of ended jobs cost the server more, the more have ended.
    String path =
        "/v1/jobs/counts?namespace="
            + ServerClient.encode(load.namespace())
            + "&state=submitted&state=pending&state=admitted&state=running&state=draining";
    Reconnection reconnection = new Reconnection(client);
    while (!stop.isSet()) {
      JobCounts live =
          reconnection
              .read(() -> client.get(path, JobCounts.class), SILENCE_MAX)
              .orElseThrow(
                  () ->
                      new ClientException(
                          "the server has not answered for %d s"
                              .formatted(SILENCE_MAX.toSeconds())));
      if (live.total() == 0) {
        return;
      }
      progress.waiting(submitter.acknowledged(), live, submitter.elapsed());
      stopAtLimit(submitter, settings.limit(), stop);
      Thread.sleep(POLL.toMillis());
    }
  }

  private static void stopAtLimit(Submitter submitter, Duration limit, StopReason stop) {
    if (submitter.elapsed().compareTo(limit) > 0) {
      stop.set("the limit of " + DurationNotation.format(limit) + " has passed");
    }
  }

  /** Reads what the server recorded of the jobs; null: it cannot be read. */
  private @Nullable JobHistories histories(List<Submission> submissions, String place)
      throws InterruptedException {
    boolean allEnded = !stop.isSet();
    progress.step("reading the recorded events");
    JobHistories jobs = new JobHistories(submissions);
    HistoryReader reader =
        allEnded
            ? new HistoryReader(client, load.namespace(), READING_MAX, stop::isSet)
            : new HistoryReader(client, load.namespace(), READING_MAX_OF_INCOMPLETE, () -> false);
    try {
      reader.read(jobs, place, allEnded);
    } catch (ClientException failed) {
      stop.set("the recorded events were not read: " + failed.getMessage());
      return null;
    }
    if (allEnded && jobs.ended() < jobs.size()) {
      stop.set(
          "the ends of %d jobs are not among the recorded events"
              .formatted(jobs.size() - jobs.ended()));
    }
    return jobs;
  }

  /** Returns the CPU time of this process so far; null: the system does not tell. */
  static @Nullable Duration generatorCpu() {
    Optional<Duration> cpu = ProcessHandle.current().info().totalCpuDuration();
    return cpu.orElse(null);
  }

  /** Returns the CPU seconds of this process since an earlier value of {@link #generatorCpu}. */
  static @Nullable Double secondsSince(@Nullable Duration before) {
    Duration now = generatorCpu();
    return before == null || now == null ? null : (Double) (now.minus(before).toNanos() / 1e9);
  }
}
