// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.files.LocalExecutorSettings;
import io.sluice.scheduler.execution.local.process.Platform;
import io.sluice.scheduler.execution.local.process.PortableProcessTable;
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

  private static Platform portable(String executorId) {
    return new Platform(BASH, Platform.groupByShell(BASH), new PortableProcessTable(BASH));
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
  void whatOneServerLeftRunningTheNextAdoptsByItsRecord() throws Exception {
    server.executor.close();
    LocalExecutorSettings leaving = LocalExecutorSettings.of(server.directory, server.fleet::get);
    server.executor =
        new LocalExecutor(leaving, server.reports::add, PortablePlatformTest::portable);
    Path go = temporary.resolve("go");
    Launch launch =
        Launches.sh("echo pid $$; while [ ! -e " + go + " ]; do sleep 0.05; done; exit 5")
            .state(AttemptState.RUNNING)
            .launch();
    server.start(launch);
    String pid = server.printed(launch, "pid ");
    server.await(launch, Kind.STARTED);
    server.executor.close();
    assertThat(LocalServer.alive(pid)).isTrue();
    server.reports.clear();

    server.executor =
        new LocalExecutor(server.settings(), server.reports::add, PortablePlatformTest::portable);
    server.executor.recover(List.of(launch));
    assertThat(LocalServer.alive(pid)).isTrue();
    Files.createFile(go);

    server.await(launch, Kind.DRAINED);
    assertThat(server.kinds(launch)).containsExactly(Kind.FAILED, Kind.DRAINED);
    assertThat(server.await(launch, Kind.FAILED).message())
        .isEqualTo("pod main-0 on host local ended with code 5");
  }
}
