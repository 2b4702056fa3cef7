// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerAddress;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Terminal;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs of a small load on a server that only looks like one, complete and not. */
class BenchRunTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final StopReason stop = new StopReason();
  private FakeServer server;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
  }

  @AfterEach
  void end() {
    server.close();
  }

  private static TargetServer target(String url) {
    ServerAddress address = new ServerAddress(URI.create(url), null);
    return new TargetServer(new ServerClient(address), null, null);
  }

  private BenchReport run(Duration limit) throws InterruptedException {
    TargetServer target = target(server.url());
    target.check(Loads.tiny(), false);
    BenchSettings settings = new BenchSettings(3, false, null, limit);
    BenchProgress progress = new BenchProgress(Terminal.standard());
    return new BenchRun(Loads.tiny(), settings, target, stop, progress).run();
  }

  @Test
  void aCompleteRunReportsWhatTheServerRecorded() throws InterruptedException {
    BenchReport report = run(LIMIT);
    assertThat(report.complete()).isTrue();
    assertThat(report.reason()).isNull();
    assertThat(server.applied()).hasSize(2);
    assertThat(report.setup().server())
        .isEqualTo(new BenchReport.Server(server.url(), "9.9", false, null));
    BenchReport.Scheduling scheduling = Objects.requireNonNull(report.scheduling());
    assertThat(scheduling.ended()).isEqualTo(6);
    assertThat(scheduling.failed()).isZero();
    assertThat(scheduling.admissions().count()).isEqualTo(8);
    assertThat(scheduling.preemptedAttempts()).isEqualTo(2);
    assertThat(scheduling.wallSeconds()).isPositive();
    assertThat(scheduling.usefulUsagePercent()).isPositive();
    assertThat(scheduling.timeToAdmission().get(0).jobs()).isEqualTo(4);
    assertThat(scheduling.timeToAdmission().get(1).jobs()).isEqualTo(2);
    BenchReport.Spread large = scheduling.timeToAdmission().get(1).seconds();
    assertThat(Objects.requireNonNull(large).p50()).isBetween(0.25, 60.0);
    assertThat(report.submissions().acknowledged().count()).isEqualTo(6);
    assertThat(report.databaseWritesPerJob()).isEqualTo(new DatabaseWrites(2_048.0, 1.0));
    // The server has no data directory here.
    assertThat(report.processes().server()).isNull();
    assertThat(report.processes().database()).isNull();
  }

  @Test
  void aRefusedSubmissionEndsTheRunWithWhatThereIs() throws InterruptedException {
    server.failAfter(4);
    BenchReport report = run(LIMIT);
    assertThat(report.complete()).isFalse();
    assertThat(report.reason()).isEqualTo("a submission failed: the disk is full");
    assertThat(report.submissions().acknowledged().count()).isEqualTo(4);
    BenchReport.Scheduling scheduling = Objects.requireNonNull(report.scheduling());
    assertThat(scheduling.ended()).isEqualTo(4);
    assertThat(scheduling.usefulUsagePercent()).isNull();
  }

  @Test
  void aServerThatDiesLeavesTheSubmissions() throws InterruptedException {
    server.dieAfter(3);
    BenchReport report = run(LIMIT);
    assertThat(report.complete()).isFalse();
    assertThat(report.reason()).startsWith("a submission failed: no server answers at");
    // Answers to other callers may be lost with the server.
    assertThat(report.submissions().acknowledged().count()).isBetween(0L, 3L);
    assertThat(report.scheduling()).isNull();
    assertThat(report.databaseWritesPerJob()).isNull();
  }

  @Test
  void aRunWhoseJobsDoNotEndStopsAtItsLimit() throws InterruptedException {
    server.keepRunning(2);
    BenchReport report = run(Duration.ofSeconds(1));
    assertThat(report.complete()).isFalse();
    assertThat(report.reason()).isEqualTo("the limit of 1s has passed");
    assertThat(report.submissions().acknowledged().count()).isEqualTo(6);
    assertThat(report.scheduling()).isNotNull();
  }

  @Test
  void anInterruptedRunSubmitsNothingMore() throws InterruptedException {
    stop.set("interrupted");
    BenchReport report = run(LIMIT);
    assertThat(report.complete()).isFalse();
    assertThat(report.reason()).isEqualTo("interrupted");
    assertThat(server.submissions()).isZero();
    assertThat(report.submissions().latencyMillis()).isNull();
  }

  @Test
  void aGivenServerIsCheckedBeforeItGetsTheLoad() {
    TargetServer target = target(server.url());
    assertThatExceptionOfType(WrongUsageException.class)
        .isThrownBy(() -> target("http://192.0.2.1:7411").check(Loads.tiny(), false))
        .withMessageContaining("is not on this machine")
        .withMessageContaining("--remote");
    server.executor("local");
    assertThatExceptionOfType(ClientException.class)
        .isThrownBy(() -> target.check(Loads.tiny(), false))
        .withMessageContaining("executor local");
    server.executor("simulated");
    server.submitEarlierJob();
    assertThatExceptionOfType(ClientException.class)
        .isThrownBy(() -> target.check(Loads.tiny(), true))
        .withMessageContaining("the namespace tiny of the server at")
        .withMessageContaining("has 1 jobs already");
  }

  @Test
  void aHostIsThisMachineByAllItsAddresses() {
    assertThat(TargetServer.isLoopback("127.0.0.1")).isTrue();
    assertThat(TargetServer.isLoopback("localhost")).isTrue();
    assertThat(TargetServer.isLoopback("[::1]")).isTrue();
    assertThat(TargetServer.isLoopback("192.0.2.1")).isFalse();
    assertThat(TargetServer.isLoopback("no-such-host.invalid")).isFalse();
    assertThat(TargetServer.isLoopback(null)).isFalse();
  }
}
