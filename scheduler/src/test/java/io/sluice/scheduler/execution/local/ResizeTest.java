// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.Launch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts that go on with other slices: one generation after the other, never two at once. */
class ResizeTest {
  /** Each worker says who it is, saves when it is told to end, and then fails. */
  private static final String WORKER =
      "echo gen $SLUICE_GENERATION slices ${MEGASCALE_NUM_SLICES:-1} from ${SLUICE_CHECKPOINT:-0};"
          + " trap 'echo saved by $SLUICE_GENERATION > $SLUICE_CHECKPOINT_FILE; exit 3' TERM;"
          + " echo pid $$; while :; do sleep 0.02; done";

  private static final Duration LONG = Duration.ofSeconds(60);

  private final LocalServer server;
  private final AttemptKey attempt = Launches.newAttempt();

  ResizeTest(@TempDir Path temporary) {
    this.server = LocalServer.in(temporary);
    server.fleet.set(Launches.slicesOfFour("a", "b"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Launch first(String script) {
    return Launches.sh(script)
        .slices("a", "b")
        .gracePeriod(LONG)
        .attempt(attempt, 1)
        .state(AttemptState.RUNNING)
        .launch();
  }

  /** The attempt as it is after a resize that nobody has reported started. */
  private Launch resized(String script, int generation, Duration grace, String... slices) {
    Launch launch =
        Launches.sh(script)
            .slices(slices)
            .gracePeriod(LONG)
            .attempt(attempt, generation)
            .state(AttemptState.RUNNING)
            .launch();
    return new Launch(
        attempt,
        generation,
        launch.state(),
        launch.job(),
        launch.assignment(),
        new Launch.Earlier(Duration.ofSeconds(1), null, grace));
  }

  private void awaitStarted(int generation) {
    LocalServer.until(
        "start of generation " + generation, () -> find(Kind.STARTED, generation) != null);
  }

  private @Nullable AttemptReport find(Kind kind, int generation) {
    return server.reports.stream()
        .filter(report -> report.kind() == kind && report.generation() == generation)
        .findFirst()
        .orElse(null);
  }

  private List<Kind> kinds() {
    return server.reports.stream().map(AttemptReport::kind).distinct().toList();
  }

  /** The processes of a pod that run, of whatever generation. */
  private List<String> running(String pod) {
    return server
        .log(attempt, pod)
        .lines()
        .filter(line -> line.startsWith("pid "))
        .map(line -> line.substring("pid ".length()))
        .filter(LocalServer::alive)
        .toList();
  }

  @Test
  void aShrunkAttemptGoesOnAfterItsOlderWorkersSavedAndTheirEndIsNoFailure() {
    server.start(first(WORKER));
    awaitStarted(1);
    Launch next = resized(WORKER, 2, LONG, "b");
    LocalServer.until("workers", () -> server.log(attempt, "main-7").contains("pid "));
    server.start(next);
    server.start(next);
    awaitStarted(2);
    LocalServer.until("workers", () -> server.log(attempt, "main-3").contains("gen 2"));

    assertThat(server.log(attempt, "main-3"))
        .contains("gen 1 slices 2 from 0\n", "gen 2 slices 1 from saved by 1\n");
    assertThat(server.log(attempt, "main-4")).doesNotContain("gen 2");
    assertThat(kinds()).containsExactly(Kind.STARTED, Kind.CHECKPOINT);
    assertThat(find(Kind.CHECKPOINT, 1)).isNotNull();
    assertThat(server.started(next).generation()).isEqualTo(2);
    assertThat(server.started(next).pods()).hasSize(4);

    Launch grown = resized(WORKER, 3, LONG, "b", "a");
    server.start(grown);
    awaitStarted(3);
    LocalServer.until("workers", () -> server.log(attempt, "main-7").contains("gen 3"));
    assertThat(server.log(attempt, "main-7")).contains("gen 3 slices 2 from saved by 2\n");
    assertThat(kinds()).containsExactly(Kind.STARTED, Kind.CHECKPOINT);
    server.stop(grown, Duration.ZERO);
    LocalServer.until("the end", () -> find(Kind.DRAINED, 3) != null);
  }

  @Test
  void workersOfSlicesThatAreGoneAreKilledAtOnce() {
    String deaf = "trap '' TERM; echo pid $$; while :; do sleep 0.02; done";
    server.start(first(deaf));
    awaitStarted(1);
    String pid = server.printed(first(deaf), "pid ");

    server.start(resized("echo gen 2; sleep 60", 2, Duration.ZERO, "b"));
    awaitStarted(2);

    assertThat(LocalServer.alive(pid)).isFalse();
    assertThat(kinds()).containsExactly(Kind.STARTED);
  }

  @Test
  void ofTwoResizesInARowOnlyTheLastStarts() {
    server.start(first(WORKER));
    awaitStarted(1);
    server.start(resized(WORKER, 2, LONG, "a"));
    server.start(resized(WORKER, 3, LONG, "b"));
    awaitStarted(3);

    assertThat(find(Kind.STARTED, 2)).isNull();
    assertThat(server.log(attempt, "main-0")).doesNotContain("gen 2");
  }

  @Test
  void anAttemptThatIsStoppedInTheMiddleOfAResizeStartsNothingMore() {
    server.start(first(WORKER));
    awaitStarted(1);
    Launch next = resized(WORKER, 2, LONG, "b");
    server.start(next);
    server.stop(next, LONG);
    LocalServer.until("the end", () -> find(Kind.DRAINED, 2) != null);

    assertThat(find(Kind.STARTED, 2)).isNull();
    assertThat(server.log(attempt, "main-0")).doesNotContain("gen 2");
  }

  @Test
  void aServerThatWasKilledBeforeTheNextGenerationStartedHasExactlyThatOneRunAfterwards() {
    server.beLeaving();
    server.start(first(WORKER));
    awaitStarted(1);
    String pid = server.printed(first(WORKER), "pid ");
    Launch next = resized(WORKER, 2, LONG, "b");

    server.succeed(next);
    server.start(next);
    awaitStarted(2);
    LocalServer.until("workers", () -> server.log(attempt, "main-3").contains("gen 2"));

    assertThat(LocalServer.alive(pid)).isFalse();
    LocalServer.until("a worker", () -> !running("main-0").isEmpty());
    assertThat(running("main-0")).hasSize(1);
    assertThat(running("main-7")).isEmpty();
    assertThat(server.log(attempt, "main-3")).contains("gen 2 slices 1 from saved by 1\n");
    assertThat(kinds()).containsExactly(Kind.CHECKPOINT, Kind.STARTED);
    assertThat(server.started(next).pods()).hasSize(4);
  }

  @Test
  void aServerThatWasKilledAfterTheNextGenerationStartedReportsThatAgain() {
    server.beLeaving();
    server.start(first(WORKER));
    awaitStarted(1);
    Launch next = resized(WORKER, 2, LONG, "b");
    server.start(next);
    awaitStarted(2);
    LocalServer.until("workers", () -> server.log(attempt, "main-0").contains("gen 2"));

    server.succeed(next);
    server.start(next);
    awaitStarted(2);

    assertThat(kinds()).containsExactly(Kind.STARTED);
    LocalServer.until("a worker", () -> !running("main-0").isEmpty());
    assertThat(running("main-0")).hasSize(1);
    assertThat(server.log(attempt, "main-0").lines().filter(line -> line.startsWith("gen 2")))
        .hasSize(1);
  }

  @Test
  void whatWasLostBetweenTwoGenerationsIsStartedAndNotTakenForFailed() {
    Launch next = resized("echo gen 2; sleep 60", 2, LONG, "b");

    server.succeed(next);
    server.start(next);
    awaitStarted(2);

    assertThat(kinds()).containsExactly(Kind.STARTED);
  }
}
