// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptReport;
import io.sluice.queuemodel.job.AttemptReport.Kind;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.FailureCause;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.AttemptRecords.AttemptRecord;
import io.sluice.scheduler.execution.local.AttemptRecords.PodRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
  private final LocalServer server;
  private final List<Process> foreign = new ArrayList<>();

  RecoveryTest(@TempDir Path temporary) {
    this.server = LocalServer.in(temporary);
  }

  @AfterEach
  void close() {
    server.close();
    foreign.forEach(Process::destroyForcibly);
  }

  /** Runs a server until its attempt runs, and kills it; gives the pids it leaves. */
  private List<String> crash(AttemptKey attempt) throws Exception {
    server.executor.close();
    Process crashing =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CrashingServer.class.getName(),
                server.directory.toString(),
                attempt.job().toString())
            .redirectError(Redirect.INHERIT)
            .start();
    try (BufferedReader lines = crashing.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine()).isEqualTo("started");
      List<String> pids = new ArrayList<>();
      for (String pod : List.of("main-0", "main-1")) {
        Path log =
            AttemptFolder.in(server.directory.resolve("logs"), attempt)
                .attempt()
                .resolve(pod + ".log");
        LocalServer.until("three lines", () -> lines(log).size() == 3);
        lines(log).forEach(line -> pids.add(line.substring(line.indexOf(' ') + 1)));
      }
      return pids;
    } finally {
      crashing.destroyForcibly().waitFor();
    }
  }

  private static List<String> lines(Path log) {
    try {
      String text = Files.readString(log);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  private void recover(Launch... live) {
    server.executor = new LocalExecutor(server.settings(), server.reports::add);
    server.executor.recover(List.of(live));
  }

  private void assertLost(Launch launch) {
    assertThat(server.kinds(launch)).containsExactly(Kind.FAILED, Kind.DRAINED);
    assertThat(server.reports(launch).get(0).cause()).isEqualTo(FailureCause.SERVER_LOST);
    assertThat(server.reports(launch).get(0).message()).isNotEmpty();
  }

  @Test
  void whatAKilledServerLeftIsEndedAndReportedLost() throws Exception {
    AttemptKey attempt = Launches.newAttempt();
    List<String> pids = crash(attempt);
    assertThat(pids).hasSize(6).allMatch(LocalServer::alive);
    Launch launch = CrashingServer.launches(attempt).state(AttemptState.RUNNING).launch();

    recover(launch);

    assertThat(pids).noneMatch(LocalServer::alive);
    assertLost(launch);
    assertThat(server.directory.resolve("attempts")).isEmptyDirectory();
    server.start(launch);
    server.finish(Launches.sh("true").launch());
    assertThat(server.kinds(launch)).as("an attempt that was lost is not started again").hasSize(2);
  }

  @Test
  void leftoversOfAttemptsThatNobodyListsAreEndedSilently() throws Exception {
    AttemptKey attempt = Launches.newAttempt();
    List<String> pids = crash(attempt);

    recover();

    assertThat(pids).hasSize(6).noneMatch(LocalServer::alive);
    assertThat(server.reports).isEmpty();
    assertThat(server.directory.resolve("attempts")).isEmptyDirectory();
  }

  @Test
  void whatRanWithoutATraceIsLostAndWhatWasOnlyAdmittedIsLeftToBeStarted() {
    Launch running = Launches.sh("true").state(AttemptState.RUNNING).launch();
    Launch draining = Launches.sh("true").state(AttemptState.DRAINING).launch();
    Launch admitted = Launches.sh("true").launch();
    server.close();

    recover(running, draining, admitted);

    assertLost(running);
    assertLost(draining);
    server.finish(admitted);
  }

  @Test
  void whatAClosedServerEndedIsLostToTheNext() {
    Launch launch = Launches.sh("sleep 60").launch();
    server.start(launch);
    server.await(launch, Kind.STARTED);
    server.close();
    server.reports.clear();

    recover(launch);

    assertLost(launch);
  }

  @Test
  void anEndThatCouldNotBeReportedIsReportedByTheNextServer() {
    server.close();
    List<Kind> refused = new CopyOnWriteArrayList<>();
    Launch launch = Launches.sh("true").launch();
    try (LocalExecutor deaf =
        new LocalExecutor(
            server.settings(),
            report -> {
              refused.add(report.kind());
              throw new IllegalStateException("no database");
            })) {
      deaf.start(launch);
      LocalServer.until("the end", () -> refused.contains(Kind.FINISHED));
    }

    recover(launch);

    assertLost(launch);
  }

  @Test
  void aForeignProcessWithARecycledPidIsNotTouched() throws Exception {
    Process process = foreign("sleep 60");
    long start = startOf(process);
    Launch launch = Launches.sh("true").launch();
    AttemptRecord stale =
        new AttemptRecord(
            1, bootId(), List.of(new PodRecord("main-0", "local", process.pid(), start - 1000)));
    server.close();
    write(launch, stale);

    recover(launch);

    assertLost(launch);
    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void aForeignGroupWhoseLeaderIsGoneIsNotTouched() throws Exception {
    Process process = foreign("sleep 60 & echo $!");
    String child = process.inputReader(StandardCharsets.UTF_8).readLine();
    process.waitFor();
    Launch launch = Launches.sh("true").launch();
    AttemptRecord stale =
        new AttemptRecord(
            1, bootId(), List.of(new PodRecord("main-0", "local", process.pid(), 12345)));
    server.close();
    write(launch, stale);

    recover(launch);

    assertLost(launch);
    assertThat(LocalServer.alive(child)).isTrue();
    ProcessHandle.of(Long.parseLong(child)).ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void pidsOfAnEarlierRunOfTheMachineMeanNothing() throws Exception {
    Process process = foreign("sleep 60");
    Launch launch = Launches.sh("true").launch();
    AttemptRecord stale =
        new AttemptRecord(
            1,
            "another boot",
            List.of(new PodRecord("main-0", "local", process.pid(), startOf(process))));
    server.close();
    write(launch, stale);

    recover(launch);

    assertLost(launch);
    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void aRecordThatCannotBeReadStillTellsThatTheAttemptWasStarted() throws Exception {
    Launch launch = Launches.sh("true").launch();
    server.close();
    Files.writeString(
        server.directory.resolve("attempts").resolve(launch.attempt().job() + ".0.1.json"), "{");

    recover(launch);

    assertLost(launch);
    assertThat(server.directory.resolve("attempts")).isEmptyDirectory();
  }

  @Test
  void reportsOfARecoveredAttemptAreOfTheListedGeneration() throws Exception {
    AttemptKey attempt = Launches.newAttempt();
    crash(attempt);
    Launch launch =
        CrashingServer.launches(attempt).attempt(attempt, 4).state(AttemptState.RUNNING).launch();

    recover(launch);

    assertThat(server.reports(launch)).extracting(AttemptReport::generation).containsOnly(4);
  }

  private void write(Launch launch, AttemptRecord stale) throws IOException {
    new AttemptRecords(server.directory.resolve("attempts")).write(launch.attempt(), stale);
  }

  private Process foreign(String script) throws IOException {
    List<String> command =
        new ArrayList<>(Platform.find("none", server.directory.resolve("work")).session());
    command.addAll(List.of("/bin/sh", "-c", script));
    Process process = new ProcessBuilder(command).start();
    foreign.add(process);
    return process;
  }

  private ProcessTable table() {
    return Platform.find("none", server.directory.resolve("work")).table();
  }

  private long startOf(Process process) {
    return table().startOf(process.pid()).orElseThrow();
  }

  private String bootId() {
    return table().bootId();
  }
}
