// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.scheduler.execution.Launch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyAttemptsTest {
  private static final int ATTEMPTS = 200;

  private final LocalServer server;

  ManyAttemptsTest(@TempDir Path temporary) {
    this.server = LocalServer.in(temporary);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void twoHundredAttemptsAtOnceAllFinish() {
    List<Launch> launches =
        IntStream.range(0, ATTEMPTS)
            .mapToObj(number -> Launches.sh("echo " + number).launch())
            .toList();
    launches.forEach(server::start);

    launches.forEach(launch -> server.await(launch, Kind.FINISHED));

    for (int number = 0; number < ATTEMPTS; number++) {
      Launch launch = launches.get(number);
      assertThat(server.kinds(launch)).containsExactly(Kind.STARTED, Kind.FINISHED);
      assertThat(server.log(launch)).isEqualTo(number + "\n");
    }
    launches.forEach(launch -> server.executor.ended(launch.attempt()));
    server.awaitNoRecords();
    assertThat(server.directory.resolve("work").toFile().list()).containsExactly(".discarded");
  }

  @Test
  void manyAttemptsShareTheRoomOfOneHostAndAllEnd() {
    server.fleet.set(Launches.hosts(Launches.host("h", 8, Map.of())));
    List<Launch> launches =
        IntStream.range(0, 40)
            .mapToObj(number -> Launches.sh("exit " + number % 2).cpus(1 + number % 8).launch())
            .toList();
    launches.forEach(server::start);

    for (int number = 0; number < 40; number++) {
      Launch launch = launches.get(number);
      server.await(launch, number % 2 == 0 ? Kind.FINISHED : Kind.DRAINED);
    }
  }

  @Test
  void manyRunningAttemptsAreStoppedTogether() {
    List<Launch> launches =
        IntStream.range(0, 50).mapToObj(number -> Launches.of("sleep", "60").launch()).toList();
    launches.forEach(server::start);
    launches.forEach(launch -> server.await(launch, Kind.STARTED));

    launches.forEach(launch -> server.stop(launch, Duration.ofSeconds(30)));

    launches.forEach(launch -> server.await(launch, Kind.DRAINED));
    assertThat(launches)
        .allMatch(launch -> server.kinds(launch).equals(List.of(Kind.STARTED, Kind.DRAINED)));
  }
}
