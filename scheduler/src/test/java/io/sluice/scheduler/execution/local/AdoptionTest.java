// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.files.AttemptRecords.PodRecord;
import io.sluice.scheduler.execution.local.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdoptionTest {
  private final Path go;
  private final LocalServer server;

  AdoptionTest(@TempDir Path temporary) {
    this.go = temporary.resolve("go");
    this.server = LocalServer.in(temporary);
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** A script that says its pid and ends when it may go. */
  private String untilGo(String ending) {
    return "echo pid $$; while [ ! -e " + go + " ]; do sleep 0.02; done; " + ending;
  }

  private void letGo() throws IOException {
    Files.createFile(go);
  }

  /** Starts it on a server that will leave it running. */
  private String left(Launch launch) {
    server.beLeaving();
    server.start(launch);
    server.await(launch, Kind.STARTED);
    return server.printed(launch, "pid ");
  }

  private void awaitDeath(String pid) {
    LocalServer.until("death of " + pid, () -> !LocalServer.alive(pid));
  }

  @Test
  void processesOfAKilledServerGoOnUnderTheNextAndFinishOnce() throws Exception {
    AttemptKey attempt = Launches.newAttempt();
    server.executor.close();
    String script = untilGo("echo still in $(pwd); [ -d \"$HOME\" ] && echo at home");
    Process crashing = CrashingServer.start(server.directory, attempt, script);
    Launch launch = CrashingServer.launches(attempt, script).state(AttemptState.RUNNING).launch();
    String pid = server.printed(launch, "pid ");
    crashing.destroyForcibly().waitFor();

    server.succeed(launch);
    server.start(launch);

    assertThat(LocalServer.alive(pid)).isTrue();
    assertThat(server.executor.logs().read(attempt, "main-0", 0, 100).ended()).isFalse();
    letGo();
    server.await(launch, Kind.FINISHED);
    server.start(launch);
    server.finish(Launches.sh("true").launch());
    assertThat(server.kinds(launch)).containsExactly(Kind.FINISHED);
    assertThat(server.log(attempt, "main-1")).endsWith("at home\n").contains("main-1");
    assertThat(server.executor.logs().read(attempt, "main-0", 0, 1000).ended()).isTrue();
  }

  @Test
  void aStartThatWasNotReportedIsReportedByTheNextServer() throws Exception {
    Launch launch = Launches.sh(untilGo("true")).state(AttemptState.ADMITTED).launch();
    left(launch);

    server.succeed(launch);
    letGo();
    server.await(launch, Kind.FINISHED);

    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED, Kind.FINISHED);
  }

  @Test
  void whatFailedWhileNoServerLivedIsReportedWithItsCode() throws Exception {
    Launch launch = Launches.sh(untilGo("exit 7")).state(AttemptState.RUNNING).launch();
    String pid = left(launch);
    server.close();
    letGo();
    awaitDeath(pid);

    server.succeed(launch);
    server.await(launch, Kind.DRAINED);

    assertThat(server.kinds(launch)).containsExactly(Kind.FAILED, Kind.DRAINED);
    assertThat(server.await(launch, Kind.FAILED).cause()).isEqualTo(FailureCause.EXIT_CODE);
    assertThat(server.await(launch, Kind.FAILED).message())
        .isEqualTo("pod main-0 on host local ended with code 7");
  }

  @Test
  void whatSucceededWhileNoServerLivedIsFinishedAndItsChildrenAreEnded() throws Exception {
    Launch launch =
        Launches.sh("setsid sleep 60 & echo stray $!; " + untilGo("exit 0"))
            .state(AttemptState.RUNNING)
            .launch();
    String pid = left(launch);
    String stray = server.printed(launch, "stray ");
    server.close();
    letGo();
    awaitDeath(pid);

    server.succeed(launch);
    server.await(launch, Kind.FINISHED);

    assertThat(server.kinds(launch)).containsExactly(Kind.FINISHED);
    assertThat(LocalServer.alive(stray)).isFalse();
  }

  @Test
  void anEndIsReportedByEachServerUntilItIsCommitted() {
    Launch launch = Launches.sh("true").state(AttemptState.RUNNING).launch();
    server.finish(launch);

    server.succeed(launch);
    server.await(launch, Kind.FINISHED);
    server.succeed(launch);
    server.await(launch, Kind.FINISHED);

    server.executor.ended(launch.attempt());
    server.awaitNoRecords();
  }

  @Test
  void anEndWhoseReportWasRefusedIsReportedByTheNextServer() {
    Launch launch = Launches.sh("exit 3").state(AttemptState.RUNNING).launch();
    server.executor.close();
    try (LocalExecutor deaf =
        new LocalExecutor(
            server.settings(),
            report -> {
              server.reports.add(report);
              throw new IllegalStateException("no database");
            })) {
      deaf.start(launch);
      server.await(launch, Kind.DRAINED);
    }

    server.succeed(launch);
    server.await(launch, Kind.DRAINED);

    assertThat(server.kinds(launch)).containsExactly(Kind.FAILED, Kind.DRAINED);
  }

  @Test
  void aWrapperOutlivesSignalsThatAreMeantForAServer() throws Exception {
    Launch launch = Launches.sh(untilGo("exit 4")).state(AttemptState.RUNNING).launch();
    left(launch);
    PodRecord pod = server.started(launch).pods().get(0);
    for (String signal : List.of("HUP", "INT", "QUIT", "TERM")) {
      Tool.run(
          List.of("/bin/sh", "-c", "kill -s " + signal + " " + pod.wrapper().pid()),
          Duration.ofSeconds(10));
    }

    server.succeed(launch);
    letGo();

    assertThat(server.await(launch, Kind.FAILED).message()).endsWith("ended with code 4");
  }

  @Test
  void aProgramCanBeInterrupted() throws Exception {
    Launch launch = Launches.sh("kill -s INT $$; sleep 60").launch();
    server.start(launch);

    assertThat(server.await(launch, Kind.FAILED).message())
        .isEqualTo("pod main-0 on host local was ended by SIGINT");
  }

  @Test
  void whatLosesItsWrapperIsEndedAtOnceAndFails() {
    Launch launch = Launches.sh("echo pid $$; sleep 60").launch();
    server.start(launch);
    String pid = server.printed(launch, "pid ");
    PodRecord pod = server.started(launch).pods().get(0);

    ProcessHandle.of(pod.wrapper().pid()).orElseThrow().destroyForcibly();
    server.await(launch, Kind.DRAINED);

    assertThat(LocalServer.alive(pid)).isFalse();
    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED, Kind.FAILED, Kind.DRAINED);
    assertThat(server.await(launch, Kind.FAILED).cause()).isEqualTo(FailureCause.HOST_LOST);
  }

  @Test
  void whatLosesItsWrapperAfterItWasAdoptedIsEndedToo() {
    Launch launch = Launches.sh("echo pid $$; sleep 60").state(AttemptState.RUNNING).launch();
    String pid = left(launch);
    PodRecord pod = server.started(launch).pods().get(0);
    server.succeed(launch);

    ProcessHandle.of(pod.wrapper().pid()).orElseThrow().destroyForcibly();
    server.await(launch, Kind.DRAINED);

    assertThat(LocalServer.alive(pid)).isFalse();
    assertThat(server.await(launch, Kind.FAILED).cause()).isEqualTo(FailureCause.HOST_LOST);
  }

  @Test
  void anAdoptedAttemptKeepsItsRoom() throws Exception {
    server.fleet.set(Launches.hosts(Launches.host("h", 1, Map.of())));
    Launch first = Launches.sh(untilGo("true")).cpus(1).state(AttemptState.RUNNING).launch();
    left(first);
    server.succeed(first);
    Launch second = Launches.sh("[ -e " + go + " ]").cpus(1).launch();
    server.start(second);
    server.executor.stop(Launches.newAttempt(), 1, Duration.ZERO);
    LocalServer.until("an answer", () -> !server.reports.isEmpty());

    assertThat(server.kinds(second)).isEmpty();
    letGo();
    server.await(second, Kind.FINISHED);
    assertThat(server.kinds(first)).containsExactly(Kind.FINISHED);
  }

  @Test
  void anAdoptedAttemptIsStoppedWithItsGracePeriod() {
    Launch launch =
        Launches.sh("trap 'echo saved; exit 0' TERM; echo pid $$; while :; do sleep 0.02; done")
            .state(AttemptState.RUNNING)
            .launch();
    left(launch);
    server.succeed(launch);

    server.stop(launch, Duration.ofSeconds(60));
    server.await(launch, Kind.DRAINED);

    assertThat(server.log(launch)).endsWith("saved\n");
    assertThat(server.kinds(launch)).containsExactly(Kind.DRAINED);
  }

  @Test
  void anAttemptWhoseEndIsCommittedDoesNotRunOn() {
    Launch launch = Launches.sh("echo pid $$; sleep 60").launch();
    server.start(launch);
    String pid = server.printed(launch, "pid ");

    server.executor.ended(launch.attempt());

    awaitDeath(pid);
    server.awaitNoRecords();
    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED);
  }

  @Test
  void aServerThatEndsWhileItStartsLeavesWhatTheNextCanStart() {
    Launch launch = Launches.sh("echo pid $$; sleep 0.1").pods(4).launch();
    server.beLeaving();
    server.start(launch);

    server.succeed(launch);
    server.start(launch);
    server.await(launch, Kind.FINISHED);

    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED, Kind.FINISHED);
    assertThat(server.log(launch).lines()).hasSize(1);
  }
}
