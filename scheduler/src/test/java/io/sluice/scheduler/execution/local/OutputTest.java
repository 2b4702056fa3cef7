// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.AttemptOutput;
import io.sluice.scheduler.execution.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outputs: what attempts that finish hand on, also over the end of their server. */
class OutputTest {
  private final Path go;
  private final LocalServer server;

  OutputTest(@TempDir Path temporary) {
    this.go = temporary.resolve("go");
    this.server = LocalServer.in(temporary);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void whatAnAttemptThatFinishesWroteIsHandedOn() {
    Launch launch = Launches.sh("echo '{\"rows\": [1, 2]}' > $SLUICE_OUTPUT_FILE").launch();
    server.start(launch);
    server.await(launch, Kind.FINISHED);
    assertThat(server.outputs)
        .containsExactly(new AttemptOutput(launch.attempt(), "{\"rows\":[1,2]}", ""));
  }

  @Test
  void whoWritesNothingOrFailsHandsNothingOn() {
    Launch silent = Launches.sh("true").launch();
    Launch failing = Launches.sh("echo 7 > $SLUICE_OUTPUT_FILE; exit 3").launch();
    server.start(silent);
    server.start(failing);
    server.await(silent, Kind.FINISHED);
    server.await(failing, Kind.DRAINED);
    assertThat(server.outputs).isEmpty();
  }

  @Test
  void whatIsTooLongIsReadNoFurtherAndSaidToBe() {
    Launch launch =
        Launches.sh("head -c 70000 /dev/zero | tr '\\0' 1 > $SLUICE_OUTPUT_FILE").launch();
    server.start(launch);
    server.await(launch, Kind.FINISHED);
    assertThat(server.outputs)
        .containsExactly(
            new AttemptOutput(launch.attempt(), null, "its output is longer than 65536 bytes"));
  }

  @Test
  void theNextServerHandsOnWhatWasWrittenWithoutOne() throws IOException {
    Launch launch =
        Launches.sh("while [ ! -e " + go + " ]; do sleep 0.02; done; echo 5 > $SLUICE_OUTPUT_FILE")
            .state(AttemptState.RUNNING)
            .launch();
    server.beLeaving();
    server.start(launch);
    server.await(launch, Kind.STARTED);
    server.executor.close();
    Files.createFile(go);
    server.succeed(launch);
    server.await(launch, Kind.FINISHED);
    assertThat(server.outputs).containsExactly(new AttemptOutput(launch.attempt(), "5", ""));
  }

  @Test
  void anEndThatWasNotCommittedIsReportedAgainWithTheSameOutput() {
    Launch launch =
        Launches.sh("echo 5 > $SLUICE_OUTPUT_FILE").state(AttemptState.RUNNING).launch();
    server.beLeaving();
    server.start(launch);
    server.await(launch, Kind.FINISHED);
    server.outputs.clear();
    server.succeed(launch);
    server.await(launch, Kind.FINISHED);
    assertThat(server.outputs).containsExactly(new AttemptOutput(launch.attempt(), "5", ""));
  }
}
