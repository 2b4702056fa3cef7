// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints: what pods write is reported, and what was reported is handed on. */
class CheckpointTest {
  private final Path go;
  private final LocalServer server;

  CheckpointTest(@TempDir Path temporary) {
    this.go = temporary.resolve("go");
    this.server = LocalServer.in(temporary);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private List<String> checkpoints(Launch launch) {
    return server.reports(launch).stream()
        .filter(report -> report.kind() == Kind.CHECKPOINT)
        .map(AttemptReport::message)
        .toList();
  }

  @Test
  void whatAPodWritesIsReportedWithItsGeneration() {
    Launch launch =
        Launches.sh("echo 'gs://b/step 7' > $SLUICE_CHECKPOINT_FILE; sleep 60")
            .attempt(Launches.newAttempt(), 3)
            .launch();
    server.start(launch);

    AttemptReport report = server.await(launch, Kind.CHECKPOINT);
    assertThat(report.message()).isEqualTo("gs://b/step 7");
    assertThat(report.generation()).isEqualTo(3);
  }

  @Test
  void whatAStartGoesOnFromIsInItsEnvironmentAndIsNotReportedAgain() {
    Launch first = Launches.sh("echo from:${SLUICE_CHECKPOINT-nothing}").launch();
    Launch next =
        Launches.sh(
                "echo from:$SLUICE_CHECKPOINT; echo \"$SLUICE_CHECKPOINT\" > $SLUICE_CHECKPOINT_FILE")
            .launch()
            .from("it's \"step\" $9 ü");
    server.finish(first);
    server.finish(next);

    assertThat(server.log(first)).isEqualTo("from:nothing\n");
    assertThat(server.printed(next, "from:")).startsWith("it's \"step\" $9 ");
    assertThat(checkpoints(next)).isEmpty();
  }

  @Test
  void aUserCannotSayWhatAStartGoesOnFrom() {
    Launch launch =
        Launches.sh("echo from:${SLUICE_CHECKPOINT-nothing}")
            .environment(Map.of("SLUICE_CHECKPOINT", "of the user"))
            .launch();
    server.finish(launch);

    assertThat(server.log(launch)).isEqualTo("from:nothing\n");
  }

  @Test
  void theLastThatIsWrittenInTheGracePeriodIsReportedBeforeTheEnd() {
    Launch launch =
        Launches.sh(
                "trap 'echo last > $SLUICE_CHECKPOINT_FILE; exit 1' TERM;"
                    + " echo early > $SLUICE_CHECKPOINT_FILE; echo ready;"
                    + " while :; do sleep 0.02; done")
            .launch();
    server.start(launch);
    server.await(launch, Kind.CHECKPOINT);
    server.stop(launch, Duration.ofSeconds(60));
    server.await(launch, Kind.DRAINED);

    assertThat(checkpoints(launch)).containsExactly("early", "last");
    assertThat(server.kinds(launch))
        .containsExactly(Kind.STARTED, Kind.CHECKPOINT, Kind.CHECKPOINT, Kind.DRAINED);
  }

  @Test
  void whoeverWritesAllTheTimeIsReportedOnceInAWhileAndAtTheEnd() throws IOException {
    Launch launch =
        Launches.sh(
                "i=0; while [ ! -e "
                    + go
                    + " ]; do i=$((i+1)); echo $i > $SLUICE_CHECKPOINT_FILE; sleep 0.01; done;"
                    + " echo wrote $i")
            .launch();
    server.start(launch);
    server.await(launch, Kind.CHECKPOINT);
    Files.createFile(go);
    server.await(launch, Kind.FINISHED);

    assertThat(checkpoints(launch)).hasSizeLessThan(10);
    assertThat(checkpoints(launch)).last().isEqualTo(server.printed(launch, "wrote "));
  }

  @Test
  void whatIsTooLongOrDoesNotPrintIsNotTaken() {
    Launch launch =
        Launches.sh(
                "head -c 4097 /dev/zero | tr '\\0' x > $SLUICE_CHECKPOINT_FILE; sleep 1.5;"
                    + " printf 'a\\033b\\n' > $SLUICE_CHECKPOINT_FILE; sleep 1.5;"
                    + " head -c 4096 /dev/zero | tr '\\0' y > $SLUICE_CHECKPOINT_FILE")
            .launch();
    server.start(launch);
    server.await(launch, Kind.FINISHED);

    assertThat(checkpoints(launch)).containsExactly("y".repeat(4096));
  }

  @Test
  void theNextServerReportsWhatCameWhileNoneLived() throws IOException {
    Launch launch =
        Launches.sh(
                "echo pid $$; while [ ! -e "
                    + go
                    + " ]; do sleep 0.02; done; echo later > $SLUICE_CHECKPOINT_FILE; sleep 60")
            .state(AttemptState.RUNNING)
            .launch();
    server.beLeaving();
    server.start(launch);
    server.printed(launch, "pid ");
    server.close();
    Files.createFile(go);

    server.succeed(launch.from("earlier"));

    assertThat(server.await(launch, Kind.CHECKPOINT).message()).isEqualTo("later");
  }
}
