// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.queuemodel.job.AttemptReport;
import io.sluice.queuemodel.job.AttemptReport.Kind;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.AttemptRecords.AttemptRecord;
import io.sluice.scheduler.execution.local.AttemptRecords.PodRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine without /proc, setsid and setpriv, as macOS is; its shell is bash. */
class PortablePlatformTest {
  private static final Path BASH = Path.of("/bin/bash");

  private final Path temporary;
  private final LocalServer server;

  PortablePlatformTest(@TempDir Path temporary) {
    assumeTrue(Files.isExecutable(BASH));
    this.temporary = temporary;
    this.server = LocalServer.on(temporary, PortablePlatformTest::portable);
  }

  private static Platform portable(String executorId, Path workDirectory) {
    return new Platform(BASH, Platform.groupByShell(BASH), new PortableProcessTable(BASH), null);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void anAttemptRunsAndItsOutputIsItsOwn() {
    Launch launch = server.finish(Launches.sh("echo out; echo err >&2; cat").pods(2).launch());

    assertThat(server.log(launch)).isEqualTo("out\nerr\n");
  }

  @Test
  void exitCodesAndSignalsAreReported() {
    Launch code = Launches.sh("exit 7").launch();
    Launch signal = Launches.sh("kill -KILL $$").launch();
    server.start(code);
    server.start(signal);

    assertThat(server.await(code, Kind.FAILED))
        .extracting(AttemptReport::message)
        .isEqualTo("pod main-0 on host local ended with code 7");
    assertThat(server.await(signal, Kind.FAILED))
        .extracting(AttemptReport::message)
        .isEqualTo("pod main-0 on host local was ended by SIGKILL");
    server.await(signal, Kind.DRAINED);
    assertThat(server.log(signal)).isEmpty();
  }

  @Test
  void aStoppedAttemptIsEndedWithItsChildren() {
    Launch launch =
        Launches.sh("trap '' TERM; sh -c 'while :; do sleep 0.05; done' & echo pid $!; wait")
            .launch();
    server.start(launch);
    String child = server.printed(launch, "pid ");
    server.stop(launch, Duration.ofMillis(200));

    server.await(launch, Kind.DRAINED);

    assertThat(LocalServer.alive(child)).isFalse();
  }

  @Test
  void whatOutlivesItsLeaderInTheGroupIsEnded() {
    Launch launch = Launches.sh("sleep 60 & echo pid $!").launch();
    server.start(launch);

    server.await(launch, Kind.FINISHED);

    assertThat(LocalServer.alive(server.printed(launch, "pid "))).isFalse();
  }

  @Test
  void leftoversAreFoundByTheirRecord() throws Exception {
    Launch launch = Launches.sh("true").state(AttemptState.RUNNING).launch();
    Platform platform = portable("", temporary);
    Process process =
        new ProcessBuilder(platform.inGroup(List.of("/bin/sh", "-c", "echo $$; exec sleep 60")))
            .start();
    String pid = process.inputReader(StandardCharsets.UTF_8).readLine();
    long start = platform.table().startOf(Long.parseLong(pid)).orElseThrow();
    new AttemptRecords(server.directory.resolve("attempts"))
        .write(
            launch.attempt(),
            new AttemptRecord(
                1, "", List.of(new PodRecord("main-0", "local", Long.parseLong(pid), start))));

    server.executor.recover(List.of(launch));

    assertThat(LocalServer.alive(pid)).isFalse();
    assertThat(server.kinds(launch)).containsExactly(Kind.FAILED, Kind.DRAINED);
    process.destroyForcibly();
  }
}
