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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods that tell that they come on, by their progress files. */
class ProgressTest {
  private static final Duration LONG = Duration.ofMinutes(20);

  private final Path go;
  private final LocalServer server;

  ProgressTest(@TempDir Path temporary) {
    this.go = temporary.resolve("go");
    this.server = LocalServer.in(temporary);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String awaitGo() {
    return "while [ ! -e " + go + " ]; do sleep 0.02; done; ";
  }

  private List<AttemptReport> progress(Launch launch) {
    return server.reports(launch).stream()
        .filter(report -> report.kind() == Kind.PROGRESS)
        .toList();
  }

  @Test
  void whatIsWrittenIsReportedWithItsFirstLine() {
    Launch launch =
        Launches.sh("printf 'step 1 of 9\\033[1m\\nmore' > $SLUICE_PROGRESS_FILE; sleep 60")
            .progressDeadline(LONG)
            .launch();
    server.start(launch);

    assertThat(server.await(launch, Kind.PROGRESS).message()).isEqualTo("step 1 of 9[1m");
  }

  @Test
  void aTouchOfAnyPodsFileIsProgress() {
    Launch launch =
        Launches.sh("[ $SLUICE_POD = main-0 ] || touch $SLUICE_PROGRESS_FILE; sleep 60")
            .pods(3)
            .progressDeadline(LONG)
            .launch();
    server.start(launch);

    assertThat(server.await(launch, Kind.PROGRESS).message()).isEmpty();
  }

  @Test
  void whoeverWritesAllTheTimeIsReportedOnceInAWhile() throws IOException {
    Launch launch =
        Launches.sh(
                "i=0; while [ ! -e "
                    + go
                    + " ]; do i=$((i+1)); echo $i > $SLUICE_PROGRESS_FILE; sleep 0.01; done;"
                    + " echo wrote $i")
            .progressDeadline(LONG)
            .launch();
    server.start(launch);
    server.await(launch, Kind.PROGRESS);
    Launch quick =
        Launches.sh("touch $SLUICE_PROGRESS_FILE; sleep 60")
            .progressDeadline(Duration.ofSeconds(1))
            .launch();
    server.start(quick);
    server.await(quick, Kind.PROGRESS);
    Files.createFile(go);
    server.await(launch, Kind.FINISHED);

    assertThat(Integer.parseInt(server.printed(launch, "wrote "))).isGreaterThan(10);
    assertThat(progress(launch)).hasSize(1);
  }

  @Test
  void aLongLineIsCutAndWhoeverHasNoDeadlineIsNotReported() throws IOException {
    String write = "head -c 5000 /dev/zero | tr '\\0' x > $SLUICE_PROGRESS_FILE; ";
    Launch unwatched = Launches.sh(write + awaitGo()).launch();
    Launch watched = Launches.sh(write + awaitGo()).progressDeadline(LONG).launch();
    server.start(unwatched);
    server.start(watched);

    assertThat(server.await(watched, Kind.PROGRESS).message()).isEqualTo("x".repeat(200));
    Files.createFile(go);
    server.await(unwatched, Kind.FINISHED);
    assertThat(progress(unwatched)).isEmpty();
  }

  @Test
  void theNextServerReportsWhatCameWhileNoneLived() throws Exception {
    Launch launch =
        Launches.sh(
                "echo pid $$; "
                    + awaitGo()
                    + "echo on > $SLUICE_PROGRESS_FILE; echo 2 > $HOME/written; sleep 60")
            .state(AttemptState.RUNNING)
            .progressDeadline(LONG)
            .launch();
    Launch silent =
        Launches.sh("echo pid $$; sleep 60")
            .state(AttemptState.RUNNING)
            .progressDeadline(LONG)
            .launch();
    server.beLeaving();
    server.start(launch);
    server.start(silent);
    server.printed(launch, "pid ");
    server.printed(silent, "pid ");
    assertThat(progress(launch)).isEmpty();
    server.close();
    Files.createFile(go);

    server.succeed(launch, silent);

    assertThat(server.await(launch, Kind.PROGRESS).message()).isEqualTo("on");
    assertThat(progress(silent)).isEmpty();
  }

  @Test
  void aPodCanPutNothingElseInTheFilesPlace() {
    Launch launch =
        Launches.sh(
                "ln -sf /etc/hostname $SLUICE_PROGRESS_FILE; mkfifo $SLUICE_PROGRESS_FILE;"
                    + " echo tried; sleep 60")
            .progressDeadline(LONG)
            .launch();
    Launch other =
        Launches.sh("sleep 0.5; echo fine > $SLUICE_PROGRESS_FILE; sleep 60")
            .progressDeadline(LONG)
            .launch();
    server.start(launch);
    server.printed(launch, "tried");
    server.start(other);

    assertThat(server.await(other, Kind.PROGRESS).message()).isEqualTo("fine");
    assertThat(progress(launch)).isEmpty();
  }
}
