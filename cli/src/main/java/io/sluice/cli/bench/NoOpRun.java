// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import io.sluice.cli.bench.Submitter.Submission;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of a load without a server: this command acknowledges its own submissions, so that only the
 * generator of the load is measured.
 */
final class NoOpRun {
  /** Connections beyond those of the callers. */
  private static final int SPARE_CONNECTIONS = 16;

  private final Load load;
  private final BenchSettings settings;
  private final StopReason stop;
  private final BenchProgress progress;

  NoOpRun(Load load, BenchSettings settings, StopReason stop, BenchProgress progress) {
    this.load = load;
    this.settings = settings;
    this.stop = stop;
    this.progress = progress;
  }

  BenchReport run() throws IOException, InterruptedException {
    try (NoOpServer server = NoOpServer.start(settings.callers() + SPARE_CONNECTIONS)) {
      // As before a run on a server, the JVM has loaded and used the client's classes.
      byte[] first = new JobManifests(load, null).of(Arrival.of(load).get(0));
      server.client().postIdempotent("/v1/jobs", first, null);
      Submitter submitter = new Submitter(server.client(), load, settings, stop);
      Duration cpuBefore = BenchRun.generatorCpu();
      Instant begunAt = submitter.start();
      try {
        BenchRun.awaitSubmissions(submitter, settings.limit(), stop, progress);
      } finally {
        submitter.end();
      }
      List<Submission> submissions = submitter.submissions();
      return new BenchReport(
          !stop.isSet(),
          stop.get(),
          BenchReport.Setup.of(begunAt, load, settings, null),
          null,
          BenchReport.Submissions.of(submissions),
          BenchReport.Processes.of(null, null, generatorSeconds(cpuBefore, server)),
          null,
          null);
    }
  }

  /** Returns the CPU seconds of this process without those of the server in it. */
  private static @Nullable Double generatorSeconds(@Nullable Duration before, NoOpServer server) {
    Double all = BenchRun.secondsSince(before);
    return all == null ? null : (Double) Math.max(0, all - server.cpuSeconds());
  }
}
