// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.files.AttemptRecords.AttemptRecord;
import io.sluice.scheduler.execution.local.files.AttemptRecords.PodRecord;
import io.sluice.scheduler.execution.local.process.Platform;
import io.sluice.scheduler.execution.local.process.ProcessMark;
import io.sluice.scheduler.execution.local.process.ProcessTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
  private static final int LINES = 3;

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

  /** Runs a server until its stubborn attempt runs, and kills it; gives the pids it leaves. */
  private List<String> crash(AttemptKey attempt) throws Exception {
    server.executor.close();
    Process crashing = CrashingServer.start(server.directory, attempt, CrashingServer.STUBBORN);
    try {
      List<String> pids = new ArrayList<>();
      for (String pod : List.of("main-0", "main-1")) {
        LocalServer.until("three lines", () -> lines(attempt, pod).size() == LINES);
        lines(attempt, pod).forEach(line -> pids.add(line.substring(line.indexOf(' ') + 1)));
      }
      return pids;
    } finally {
      crashing.destroyForcibly().waitFor();
    }
  }

  private List<String> lines(AttemptKey attempt, String pod) {
    String text = server.log(attempt, pod);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  private void assertLost(Launch launch, FailureCause cause) {
    server.await(launch, Kind.DRAINED);
    assertThat(server.kinds(launch)).containsExactly(Kind.FAILED, Kind.DRAINED);
    assertThat(server.reports(launch).get(0).cause()).isEqualTo(cause);
    assertThat(server.reports(launch).get(0).message()).isNotEmpty();
  }

  private static Launch running(AttemptKey attempt) {
    return CrashingServer.launches(attempt, CrashingServer.STUBBORN)
        .state(AttemptState.RUNNING)
        .launch();
  }

  @Test
  void whatNobodyListsIsEndedSilently() throws Exception {
    AttemptKey attempt = Launches.newAttempt();
    List<String> pids = crash(attempt);
    assertThat(pids).hasSize(2 * LINES).allMatch(LocalServer::alive);

    server.succeed();

    assertThat(pids).noneMatch(LocalServer::alive);
    assertThat(server.reports).isEmpty();
    server.awaitNoRecords();
  }

  @Test
  void whatWasDrainingIsKilledAfterAGracePeriodByTheNextServer() throws Exception {
    AttemptKey attempt = Launches.newAttempt();
    List<String> pids = crash(attempt);
    Launch draining =
        CrashingServer.launches(attempt, CrashingServer.STUBBORN)
            .state(AttemptState.DRAINING)
            .gracePeriod(Duration.ofMillis(300))
            .launch();

    server.succeed(draining);
    server.await(draining, Kind.DRAINED);

    assertThat(pids).noneMatch(LocalServer::alive);
    assertThat(server.kinds(draining)).containsExactly(Kind.DRAINED);
  }

  @Test
  void aStopAfterTheReturnShortensTheGracePeriodOfWhatWasDraining() throws Exception {
    AttemptKey attempt = Launches.newAttempt();
    List<String> pids = crash(attempt);
    Launch draining =
        CrashingServer.launches(attempt, CrashingServer.STUBBORN)
            .state(AttemptState.DRAINING)
            .gracePeriod(Duration.ofHours(1))
            .launch();
    server.succeed(draining);
    assertThat(pids).allMatch(LocalServer::alive);

    server.stop(draining, Duration.ZERO);
    server.await(draining, Kind.DRAINED);

    assertThat(pids).noneMatch(LocalServer::alive);
  }

  @Test
  void whatLostItsWrappersWhileNoServerLivedIsEndedAndFails() throws Exception {
    AttemptKey attempt = Launches.newAttempt();
    List<String> pids = crash(attempt);
    Launch launch = running(attempt);
    for (PodRecord pod : server.started(launch).pods()) {
      ProcessHandle.of(pod.wrapper().pid()).orElseThrow().destroyForcibly();
      LocalServer.until("death", () -> !LocalServer.alive(Long.toString(pod.wrapper().pid())));
    }
    assertThat(pids).allMatch(LocalServer::alive);

    server.succeed(shortly(attempt));

    assertLost(launch, FailureCause.HOST_LOST);
    assertThat(pids).noneMatch(LocalServer::alive);
    server.start(launch);
    server.finish(Launches.sh("true").launch());
    assertThat(server.kinds(launch)).as("what was lost is not started again").hasSize(2);
  }

  private static Launch shortly(AttemptKey attempt) {
    return CrashingServer.launches(attempt, CrashingServer.STUBBORN)
        .state(AttemptState.RUNNING)
        .gracePeriod(Duration.ofMillis(300))
        .launch();
  }

  @Test
  void aWrapperWithAnotherStartIsSomebodyElses() throws Exception {
    AttemptKey attempt = Launches.newAttempt();
    List<String> pids = crash(attempt);
    Launch launch = shortly(attempt);
    AttemptRecord started = server.started(launch);
    List<PodRecord> shifted =
        started.pods().stream()
            .map(pod -> new PodRecord(pod.pod(), pod.host(), pod.leader(), shifted(pod.wrapper())))
            .toList();
    write(launch, new AttemptRecord(1, started.executor(), started.bootId(), shifted, false));

    server.succeed(launch);

    assertLost(launch, FailureCause.HOST_LOST);
    assertThat(pids).noneMatch(LocalServer::alive);
  }

  private static ProcessMark shifted(ProcessMark mark) {
    return new ProcessMark(mark.pid(), mark.start() - 1000);
  }

  @Test
  void reportsOfAnOlderGenerationsRemainsAreOfTheListedOne() throws Exception {
    AttemptKey attempt = Launches.newAttempt();
    List<String> pids = crash(attempt);
    Launch launch =
        CrashingServer.launches(attempt, CrashingServer.STUBBORN)
            .attempt(attempt, 4)
            .state(AttemptState.RUNNING)
            .launch();

    server.succeed(launch);

    assertLost(launch, FailureCause.SERVER_LOST);
    assertThat(server.reports(launch)).extracting(AttemptReport::generation).containsOnly(4);
    assertThat(pids).noneMatch(LocalServer::alive);
  }

  @Test
  void whatRanWithoutATraceIsLostAndWhatWasOnlyAdmittedIsLeftToBeStarted() {
    Launch running = Launches.sh("true").state(AttemptState.RUNNING).launch();
    Launch draining = Launches.sh("true").state(AttemptState.DRAINING).launch();
    Launch admitted = Launches.sh("true").launch();

    server.succeed(running, draining, admitted);

    assertLost(running, FailureCause.SERVER_LOST);
    assertLost(draining, FailureCause.SERVER_LOST);
    server.finish(admitted);
  }

  @Test
  void whatAServerEndedWithItselfIsLostToTheNextAndNotHeldAgainstTheJob() {
    Launch launch = Launches.sh("sleep 60").state(AttemptState.RUNNING).launch();
    server.start(launch);
    server.await(launch, Kind.STARTED);

    server.succeed(launch);

    assertLost(launch, FailureCause.SERVER_LOST);
    assertThat(FailureCause.SERVER_LOST.countsAsFailure()).isFalse();
  }

  @Test
  void aForeignProcessWithARecycledPidIsNotTouched() throws Exception {
    Process process = foreign("sleep 60");
    long start = startOf(process);

    assertNotTouched(
        process, new AttemptRecord(1, null, bootId(), pods(process.pid(), start - 1000), false));
  }

  @Test
  void pidsOfAnEarlierRunOfTheMachineMeanNothing() throws Exception {
    Process process = foreign("sleep 60");

    assertNotTouched(
        process,
        new AttemptRecord(1, null, "another boot", pods(process.pid(), startOf(process)), false));
  }

  @Test
  void aProcessOnRecordOfAnotherExecutorIsNotTouched() throws Exception {
    Process process = foreign("sleep 60");
    String other = UUID.randomUUID().toString();

    assertNotTouched(
        process,
        new AttemptRecord(1, other, bootId(), pods(process.pid(), startOf(process)), false),
        FailureCause.SERVER_LOST);
  }

  private void assertNotTouched(Process process, AttemptRecord stale) throws IOException {
    assertNotTouched(process, stale, FailureCause.HOST_LOST);
  }

  private void assertNotTouched(Process process, AttemptRecord stale, FailureCause cause)
      throws IOException {
    Launch launch = Launches.sh("true").state(AttemptState.RUNNING).launch();
    write(launch, stale);
    Path status =
        server
            .records()
            .createStatuses(launch.attempt(), 1)
            .resolve("main-0." + process.pid() + ".new");
    Files.writeString(status, "begun\n");

    server.succeed(launch);

    assertLost(launch, cause);
    assertThat(process.isAlive()).isTrue();
  }

  private static List<PodRecord> pods(long pid, long start) {
    ProcessMark mark = new ProcessMark(pid, start);
    return List.of(new PodRecord("main-0", "local", mark, mark));
  }

  @Test
  void aForeignGroupWhoseLeaderIsGoneIsNotTouched() throws Exception {
    Process process = foreign("sleep 60 & echo $!");
    String child = process.inputReader(StandardCharsets.UTF_8).readLine();
    process.waitFor();
    Launch launch = Launches.sh("true").state(AttemptState.RUNNING).launch();
    write(launch, new AttemptRecord(1, null, bootId(), pods(process.pid(), 12345), false));

    server.succeed(launch);

    assertLost(launch, FailureCause.SERVER_LOST);
    assertThat(LocalServer.alive(child)).isTrue();
    ProcessHandle.of(Long.parseLong(child)).ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void anAttemptOfWhichNoPodBeganStartsAsIfItHadNotBeenAskedFor() throws Exception {
    Launch early = Launches.sh("echo ran").launch();
    Launch late = Launches.sh("echo ran").launch();
    write(early, new AttemptRecord(1, null, bootId(), List.of(), false));
    write(late, new AttemptRecord(1, null, bootId(), pods(1 << 30, 12345), false));

    server.succeed(early, late);

    assertThat(server.reports).isEmpty();
    server.finish(early);
    server.finish(late);
    assertThat(server.log(early)).isEqualTo("ran\n");
  }

  @Test
  void anAttemptOfWhichOnlySomePodsBeganIsEndedAndLost() throws Exception {
    AttemptKey attempt = Launches.newAttempt();
    List<String> pids = crash(attempt);
    Launch launch = CrashingServer.launches(attempt, CrashingServer.STUBBORN).launch();
    PodRecord second = server.started(launch).pods().get(1);
    Files.delete(
        server
            .directory
            .resolve("attempts")
            .resolve(attempt.job() + ".0.1.1.statuses")
            .resolve("main-1." + second.wrapper().pid() + ".new"));

    server.succeed(launch);

    assertLost(launch, FailureCause.SERVER_LOST);
    assertThat(pids).noneMatch(LocalServer::alive);
  }

  @Test
  void aRecordThatCannotBeReadStillTellsThatTheAttemptWasStarted() throws Exception {
    Launch launch = Launches.sh("true").launch();
    Files.writeString(
        server.directory.resolve("attempts").resolve(launch.attempt().job() + ".0.1.json"), "{");

    server.succeed(launch);

    assertLost(launch, FailureCause.SERVER_LOST);
    server.executor.ended(launch.attempt());
    server.awaitNoRecords();
  }

  private void write(Launch launch, AttemptRecord stale) throws IOException {
    server.records().write(launch.attempt(), stale);
  }

  private Process foreign(String script) throws IOException {
    List<String> command = new ArrayList<>(Platform.find("none").session());
    command.addAll(List.of("/bin/sh", "-c", script));
    Process process = new ProcessBuilder(command).start();
    foreign.add(process);
    return process;
  }

  private ProcessTable table() {
    return Platform.find("none").table();
  }

  private long startOf(Process process) {
    return table().startOf(process.pid()).orElseThrow();
  }

  private String bootId() {
    return table().bootId();
  }
}
