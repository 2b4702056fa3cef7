// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.files.LocalExecutorSettings;
import io.sluice.scheduler.execution.local.files.LogFiles;
import io.sluice.scheduler.execution.local.files.LogFiles.Chunk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsTest {
  private static final int BOUND = 1000;
  private static final LogFiles.Kept KEPT = new LogFiles.Kept(10, Long.MAX_VALUE);

  private final Path temporary;

  LogsTest(@TempDir Path temporary) {
    this.temporary = temporary;
  }

  private static String text(Chunk chunk) {
    return new String(chunk.bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void aLogIsReadFromAnyOffset() {
    try (LocalServer server = LocalServer.in(temporary)) {
      AttemptKey attempt = server.finish(Launches.sh("printf 0123456789").launch()).attempt();
      LogFiles logs = server.executor.logs();

      Chunk middle = logs.read(attempt, "main-0", 3, 4);
      assertThat(text(middle)).isEqualTo("3456");
      assertThat(middle.nextOffset()).isEqualTo(7);
      assertThat(middle.ended()).isFalse();
      Chunk rest = logs.read(attempt, "main-0", 7, 100);
      assertThat(text(rest)).isEqualTo("789");
      assertThat(rest.ended()).isTrue();
      assertThat(text(logs.read(attempt, "main-0", -2, 100))).isEqualTo("89");
      assertThat(text(logs.read(attempt, "main-0", Long.MIN_VALUE, 3))).isEqualTo("012");
      assertThat(logs.read(attempt, "main-0", 500, 100).ended()).isTrue();
      assertThat(logs.read(attempt, "main-0", 0, 0).bytes()).isEmpty();
    }
  }

  @Test
  void aLogIsFollowedToItsEnd() {
    try (LocalServer server = LocalServer.in(temporary)) {
      Launch launch =
          Launches.sh("for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.03; done; printf end")
              .launch();
      server.start(launch);
      server.await(launch, Kind.STARTED);

      StringBuilder followed = new StringBuilder();
      long[] offset = {0};
      LocalServer.until(
          "the end of the log",
          () -> {
            Chunk chunk = server.executor.logs().read(launch.attempt(), "main-0", offset[0], 5);
            followed.append(text(chunk));
            offset[0] = chunk.nextOffset();
            return chunk.ended();
          });

      assertThat(followed.toString()).isEqualTo("1\n2\n3\n4\n5\n6\n7\n8\nend");
    }
  }

  @Test
  void anAttemptThatHasNotStartedHasNoPodsAndMayStillPrint() {
    try (LocalServer server = LocalServer.in(temporary)) {
      server.fleet.set(Launches.hosts(Launches.host("h", 1, java.util.Map.of())));
      Launch running = Launches.sh("sleep 60").cpus(1).launch();
      server.start(running);
      server.await(running, Kind.STARTED);
      Launch waiting = Launches.sh("true").cpus(1).launch();
      server.start(waiting);
      LogFiles logs = server.executor.logs();

      LocalServer.until("arrival", () -> !logs.read(waiting.attempt(), "main-0", 0, 9).ended());
      assertThat(logs.pods(waiting.attempt())).isEmpty();
      assertThat(logs.read(Launches.newAttempt(), "main-0", 0, 9).ended()).isTrue();
    }
  }

  @Test
  void noPodNameLeadsOutOfTheLogs() throws IOException {
    try (LocalServer server = LocalServer.in(temporary)) {
      AttemptKey attempt = server.finish(Launches.sh("echo mine").launch()).attempt();
      Files.writeString(server.directory.resolve("secret.log"), "secret");
      LogFiles logs = server.executor.logs();

      for (String name :
          List.of(
              "../../../../secret",
              "main-0/../../../../../secret",
              server.directory.resolve("secret").toString(),
              "pods",
              "",
              ".")) {
        assertThat(logs.read(attempt, name, 0, 100).bytes()).as(name).isEmpty();
      }
    }
  }

  @Test
  void aLogThatGrowsPastItsBoundIsEmptiedUnderThePodThatWritesIt() {
    try (LocalServer server = LocalServer.in(temporary, LogsTest::smallLogs)) {
      Launch launch =
          Launches.sh("head -c 5000 /dev/zero; while [ ! -e gone ]; do echo tick; sleep 0.02; done")
              .launch();
      server.start(launch);

      LocalServer.until("marker", () -> server.log(launch).startsWith("[sluice: earlier output"));
      LocalServer.until("more", () -> server.log(launch).endsWith("tick\n"));

      server.stop(launch, Duration.ofSeconds(5));
      server.await(launch, Kind.DRAINED);
      assertThat(server.log(launch)).hasSizeLessThan(5000);
    }
  }

  private static LocalExecutorSettings smallLogs(LocalExecutorSettings usual) {
    return new LocalExecutorSettings(
        usual.directory(),
        usual.fleet(),
        usual.processesMax(),
        usual.waitingMax(),
        BOUND,
        2,
        usual.closeGrace());
  }

  @Test
  void offsetsGoOnCountingThroughWhatWasDropped() throws IOException {
    AttemptKey attempt = Launches.newAttempt();
    LogFiles logs = new LogFiles(temporary, BOUND, KEPT, key -> true);
    logs.create(attempt, List.of("a-0"));
    append(logs, attempt, "x".repeat(BOUND + 1));
    Chunk before = logs.read(attempt, "a-0", 0, 500);
    logs.trim(attempt, "a-0");
    append(logs, attempt, "new\n");

    Chunk after = logs.read(attempt, "a-0", before.nextOffset(), BOUND);

    assertThat(text(after))
        .isEqualTo("[sluice: earlier output dropped, the log had grown past 1000 bytes]\nnew\n");
    assertThat(after.nextOffset()).isEqualTo(BOUND + 1 + after.bytes().length);
    assertThat(text(logs.read(attempt, "a-0", -4, 9))).isEqualTo("new\n");
    append(logs, attempt, "newer\n");
    LogFiles later = new LogFiles(temporary, BOUND, KEPT, key -> false);
    assertThat(text(later.read(attempt, "a-0", after.nextOffset(), 99))).isEqualTo("newer\n");
    logs.trim(attempt, "a-0");
    assertThat(text(logs.read(attempt, "a-0", -6, 99))).as("below its bound").isEqualTo("newer\n");
  }

  private static void append(LogFiles logs, AttemptKey attempt, String text) throws IOException {
    Files.writeString(logs.file(attempt, "a-0").toPath(), text, StandardOpenOption.APPEND);
  }

  @Test
  void logsOfTheOldestAttemptsGoAndOthersOutliveTheServer() {
    try (LocalServer server = LocalServer.in(temporary, LogsTest::smallLogs)) {
      Launch first = server.finish(Launches.sh("echo first").launch());
      Launch second = server.finish(Launches.sh("echo second").launch());
      Launch third = server.finish(Launches.sh("echo third").launch());

      assertThat(server.executor.logs().pods(first.attempt())).isEmpty();
      assertThat(server.directory.resolve("logs").resolve(first.attempt().job().toString()))
          .doesNotExist();
      server.restart();
      assertThat(server.log(second)).isEqualTo("second\n");
      assertThat(server.log(third)).isEqualTo("third\n");
    }
  }

  @Test
  void logsOfLiveAttemptsStayWhateverTheirAge() throws IOException {
    AttemptKey live = Launches.newAttempt();
    LogFiles logs =
        new LogFiles(temporary, BOUND, new LogFiles.Kept(1, Long.MAX_VALUE), live::equals);
    logs.create(live, List.of("a-0"));
    AttemptKey ended = Launches.newAttempt();
    logs.create(ended, List.of("a-0"));
    logs.create(Launches.newAttempt(), List.of("a-0"));

    assertThat(logs.pods(live)).containsExactly("a-0");
    assertThat(logs.pods(ended)).isEmpty();
  }

  @Test
  void ofALogThatEndsPastItsBoundTheEndStaysAtItsOffset() throws IOException {
    AttemptKey attempt = Launches.newAttempt();
    LogFiles logs = new LogFiles(temporary, BOUND, KEPT, key -> false);
    logs.create(attempt, List.of("a-0"));
    append(logs, attempt, "x".repeat(5 * BOUND) + "last\n");

    logs.ended(attempt);

    assertThat(logs.file(attempt, "a-0")).hasSize(BOUND);
    Chunk whole = logs.read(attempt, "a-0", 0, 2 * BOUND);
    assertThat(text(whole)).startsWith("[sluice: earlier output dropped").endsWith("xlast\n");
    assertThat(whole.nextOffset()).isEqualTo(5 * BOUND + 5);
    assertThat(text(logs.read(attempt, "a-0", 5 * BOUND, 9))).isEqualTo("last\n");
  }

  @Test
  void logsOfTheOldestEndedAttemptsGoBeyondTheTotalSize() throws IOException {
    LogFiles.Kept kept = new LogFiles.Kept(10, BOUND);
    LogFiles logs = new LogFiles(temporary, BOUND, kept, key -> false);
    AttemptKey first = Launches.newAttempt();
    AttemptKey second = Launches.newAttempt();
    for (AttemptKey attempt : List.of(first, second)) {
      logs.create(attempt, List.of("a-0"));
      append(logs, attempt, "x".repeat(BOUND / 2 + 1));
      logs.ended(attempt);
    }

    assertThat(logs.pods(first)).isEmpty();
    assertThat(logs.pods(second)).containsExactly("a-0");
    new LogFiles(temporary, BOUND, kept, key -> false).create(first, List.of("a-0"));
    assertThat(logs.pods(second)).as("counted again by the next server").containsExactly("a-0");
    new LogFiles(temporary, BOUND, new LogFiles.Kept(10, 100), key -> false)
        .create(first, List.of("a-0"));
    assertThat(logs.pods(second)).isEmpty();
  }
}
