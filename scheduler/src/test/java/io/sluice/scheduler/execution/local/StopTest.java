// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.Launch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StopTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final LocalServer server;

  StopTest(@TempDir Path temporary) {
    this.server = LocalServer.in(temporary);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Launch running(Launches wanted) {
    Launch launch = wanted.launch();
    server.start(launch);
    server.await(launch, Kind.STARTED);
    return launch;
  }

  @Test
  void aStoppedAttemptHasItsGracePeriodAndIsDrained() {
    Launch launch =
        running(
            Launches.sh(
                "trap 'echo saving; sleep 0.2; echo saved; exit 0' TERM;"
                    + " echo ready 1; while :; do sleep 0.02; done"));
    server.printed(launch, "ready ");
    server.stop(launch, LONG);

    server.await(launch, Kind.DRAINED);

    assertThat(server.log(launch)).endsWith("saving\nsaved\n");
    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED, Kind.DRAINED);
  }

  @Test
  void aProcessThatIgnoresTermIsKilledAfterTheGracePeriod() {
    Launch launch =
        running(
            Launches.sh(
                "trap '' TERM; echo pid $$; sh -c 'while :; do echo tick; sleep 0.02; done'"));
    String pid = server.printed(launch, "pid ");
    server.stop(launch, SHORT);

    server.await(launch, Kind.DRAINED);

    assertThat(LocalServer.alive(pid)).isFalse();
    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED, Kind.DRAINED);
  }

  @Test
  void aSecondStopCanShortenTheGracePeriod() {
    Launch launch = running(Launches.sh("trap '' TERM; echo pid $$; while :; do sleep 0.1; done"));
    server.printed(launch, "pid ");
    server.stop(launch, LONG);
    server.stop(launch, SHORT);

    server.await(launch, Kind.DRAINED);
  }

  @Test
  void grandchildrenAreEndedInTheGroupAndOutOfIt() {
    Launch launch =
        running(
            Launches.sh(
                "sh -c 'sleep 60 & echo in $!; wait' &"
                    + " setsid sh -c 'trap \"\" TERM; echo out $$; while :; do sleep 0.1; done' &"
                    + " wait"));
    List<String> pids = List.of(server.printed(launch, "in "), server.printed(launch, "out "));
    assertThat(pids).allMatch(LocalServer::alive);
    server.stop(launch, SHORT);

    server.await(launch, Kind.DRAINED);

    assertThat(pids).noneMatch(LocalServer::alive);
  }

  @Test
  void anAttemptWhoseProgramsHadAllEndedWithZeroIsFinishedInSpiteOfAStop() {
    Launch launch =
        running(
            Launches.sh(
                "setsid sh -c 'trap \"echo told 1\" TERM; echo ready 1;"
                    + " while :; do sleep 0.02; done' &"
                    + " sleep 0.2"));
    server.printed(launch, "told ");
    server.stop(launch, SHORT);

    server.await(launch, Kind.FINISHED);

    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED, Kind.FINISHED);
  }

  @Test
  void anUnknownAttemptIsDrainedAtOnceAndNotStartedAfterwards() {
    Launch launch = Launches.sh("echo ran").launch();
    server.stop(launch, LONG);
    server.start(launch);
    server.finish(Launches.sh("true").launch());

    assertThat(server.kinds(launch)).containsExactly(Kind.DRAINED);
    assertThat(server.executor.logs().pods(launch.attempt())).isEmpty();
  }

  @Test
  void anAttemptThatIsStoppedWhileItStartsRunsNoProgramOrEndsIt() {
    for (int round = 0; round < 10; round++) {
      Launch launch = Launches.sh("sleep 60").pods(3).launch();
      server.start(launch);
      server.stop(launch, LONG);

      server.await(launch, Kind.DRAINED);

      assertThat(server.kinds(launch)).doesNotContain(Kind.FINISHED, Kind.FAILED);
    }
  }

  @Test
  void aStopOfAnOlderGenerationChangesNothing() {
    Launch launch =
        running(Launches.sh("echo ready 1; sleep 0.3").attempt(Launches.newAttempt(), 2));
    server.executor.stop(launch.attempt(), 1, Duration.ZERO);

    server.await(launch, Kind.FINISHED);

    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED, Kind.FINISHED);
  }

  @Test
  void aNewerGenerationStartsWhenNothingOfTheOlderIsLeft() {
    AttemptKey attempt = Launches.newAttempt();
    Launch older =
        running(
            Launches.sh(
                    "trap 'sleep 0.2; echo older gone; exit' TERM; echo ready 1; sleep 60 & wait")
                .attempt(attempt, 1));
    server.printed(older, "ready ");
    Launch newer = Launches.sh("echo newer $SLUICE_GENERATION").attempt(attempt, 2).launch();
    server.start(newer);

    server.await(newer, Kind.FINISHED);

    assertThat(server.log(newer)).isEqualTo("ready 1\nolder gone\nnewer 2\n");
    assertThat(server.kinds(newer)).containsExactly(Kind.STARTED, Kind.STARTED, Kind.FINISHED);
    assertThat(server.await(newer, Kind.FINISHED).generation()).isEqualTo(2);
    server.start(older);
    server.finish(Launches.sh("true").launch());
    assertThat(server.log(newer)).endsWith("newer 2\n");
  }

  @Test
  void aStopOfTheNewerGenerationDrainsBoth() {
    AttemptKey attempt = Launches.newAttempt();
    Launch older =
        running(
            Launches.sh("trap 'sleep 0.3; exit' TERM; echo ready 1; sleep 60 & wait")
                .attempt(attempt, 1));
    server.printed(older, "ready ");
    Launch newer = Launches.sh("echo newer").attempt(attempt, 2).launch();
    server.start(newer);
    server.stop(newer, LONG);

    assertThat(server.await(newer, Kind.DRAINED).generation()).isEqualTo(2);

    assertThat(server.kinds(newer)).containsExactly(Kind.STARTED, Kind.DRAINED);
    assertThat(server.log(newer)).isEqualTo("ready 1\n");
  }

  @Test
  void closingEndsEverythingAndReportsNothing() {
    Launch launch = running(Launches.sh("echo pid $$; sleep 60"));
    String pid = server.printed(launch, "pid ");

    server.close();

    assertThat(LocalServer.alive(pid)).isFalse();
    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED);
    assertThat(server.directory.resolve("attempts")).isNotEmptyDirectory();
  }
}
