// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.files.AttemptFolder;
import io.sluice.scheduler.execution.local.files.LocalExecutorSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunTest {
  private static final LoopbackAddresses ADDRESSES = new LoopbackAddresses("any");

  private final Path temporary;
  private final LocalServer server;

  RunTest(@TempDir Path temporary) {
    this.temporary = temporary;
    this.server = LocalServer.in(temporary);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void anAttemptWhosePodsEndWithZeroIsStartedAndFinished() {
    Launch launch = server.finish(Launches.sh("echo hello").pods(2).launch());

    assertThat(server.executor.logs().pods(launch.attempt())).containsExactly("main-0", "main-1");
    assertThat(server.log(launch.attempt(), "main-1")).isEqualTo("hello\n");
    assertThat(server.reports(launch))
        .extracting(AttemptReport::generation, AttemptReport::cause, AttemptReport::message)
        .containsOnly(tuple(1, null, ""));
  }

  @Test
  void argumentsArriveAsTheyAre() {
    String odd = "a b\"c'$(echo x)`echo y`\\n;&|*?\nnext";
    Launch launch = server.finish(Launches.of("printf", "%s|", odd, "", "-n", "x=y").launch());

    assertThat(server.log(launch)).isEqualTo(odd + "||-n|x=y|");
  }

  @Test
  void charactersThatTheServersLocaleCannotPassOnAreRefused() throws Exception {
    Launch launch = Launches.of("echo", "größe").launch();

    new PodPlanner(StandardCharsets.UTF_8, AcceleratorCatalogue.BUILT_IN, ADDRESSES).check(launch);
    assertThatThrownBy(
            () ->
                new PodPlanner(StandardCharsets.US_ASCII, AcceleratorCatalogue.BUILT_IN, ADDRESSES)
                    .check(launch))
        .isInstanceOf(CannotStartException.class)
        .hasMessageContaining("command[1] of pod set main")
        .hasMessageContaining("LANG=C.UTF-8");
  }

  @Test
  void aProgramWithAnEqualsSignInItsPathRuns() throws Exception {
    Path program = LocalServer.passable(Files.createDirectory(temporary.resolve("run=1")));
    Files.copy(Path.of("/bin/echo"), program.resolve("echo"));
    Launch launch =
        server.finish(Launches.of(program.resolve("echo").toString(), "-n", "A=B").launch());

    assertThat(server.log(launch)).isEqualTo("A=B");
  }

  @Test
  void aProgramOfTheWorkingDirectoryRunsByItsRelativePath() {
    Launch launch =
        server.finish(
            Launches.sh("printf '#!/bin/sh\\necho here' > p; chmod +x p; exec env ./p").launch());

    assertThat(server.log(launch)).isEqualTo("here\n");
  }

  @Test
  void anExitCodeIsReportedWithItsPod() {
    Launch launch = Launches.sh("[ $SLUICE_POD = main-0 ] || exit 3; sleep 60").pods(2).launch();
    server.start(launch);

    AttemptReport failed = server.await(launch, Kind.FAILED);

    assertThat(failed.cause()).isEqualTo(FailureCause.EXIT_CODE);
    assertThat(failed.message()).isEqualTo("pod main-1 on host local ended with code 3");
    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED, Kind.FAILED);
    server.stop(launch, Duration.ofSeconds(20));
    server.await(launch, Kind.DRAINED);
    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED, Kind.FAILED, Kind.DRAINED);
  }

  @Test
  void anAttemptIsDrainedWhenAfterAFailureTheOthersEndByThemselves() {
    Launch launch =
        Launches.sh("[ $SLUICE_POD = main-0 ] && exit 3; sleep 0.3; exit 4").pods(3).launch();
    server.start(launch);

    server.await(launch, Kind.DRAINED);

    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED, Kind.FAILED, Kind.DRAINED);
  }

  @Test
  void aSignalIsReportedByItsName() {
    Launch launch = Launches.sh("kill -SEGV $$").launch();
    server.start(launch);

    AttemptReport failed = server.await(launch, Kind.FAILED);

    assertThat(failed.cause()).isEqualTo(FailureCause.SIGNAL);
    assertThat(failed.message()).isEqualTo("pod main-0 on host local was ended by SIGSEGV");
    assertThat(server.log(launch)).as("the wrapper says nothing of it there").isEmpty();
  }

  @Test
  void aProgramThatIsNotThereFailsToStart() {
    assertRefused(Launches.of("no-such-program"), "program no-such-program is not found");
    assertRefused(Launches.of("/no/such"), "program /no/such is not found");
    assertRefused(Launches.of("/etc/passwd"), "program /etc/passwd is not executable");
    assertRefused(Launches.of("/etc"), "program /etc is a directory");
    assertRefused(
        Launches.of("sh").environment(Map.of("PATH", "/etc:/no/such")), "program sh is not found");
  }

  @Test
  void ifOneProgramIsNotThereNoneRuns() {
    Launch launch = Launches.sh("echo ran").pods(3).beside("no-such-program").launch();
    server.start(launch);

    server.await(launch, Kind.DRAINED);

    assertThat(server.kinds(launch)).containsExactly(Kind.FAILED, Kind.DRAINED);
    assertThat(server.executor.logs().pods(launch.attempt()))
        .containsExactly("main-0", "main-1", "main-2", "other-0")
        .allSatisfy(pod -> assertThat(server.log(launch.attempt(), pod)).isEmpty());
  }

  @Test
  void anImageWithoutACommandFailsToStart() {
    assertRefused(Launches.of(), "the local executor runs programs of this machine");
  }

  @Test
  void whatTheOperatingSystemCannotTakeFailsToStart() {
    assertRefused(Launches.of("echo", "a\0b"), "command[1] of pod set main contains a NUL");
    assertRefused(
        Launches.of("echo").environment(Map.of("A B", "c")), "environment variable 'A B'");
    assertRefused(Launches.of("echo", "x".repeat(3 << 20)), "Argument list too long");
  }

  private void assertRefused(Launches wanted, String message) {
    Launch launch = wanted.launch();
    server.start(launch);
    server.await(launch, Kind.DRAINED);
    assertThat(server.kinds(launch)).containsExactly(Kind.FAILED, Kind.DRAINED);
    AttemptReport failed = server.await(launch, Kind.FAILED);
    assertThat(failed.cause()).isEqualTo(FailureCause.START_FAILED);
    assertThat(failed.message()).contains(message);
  }

  @Test
  void anAttemptThatIsAskedForTwiceStartsOnce() {
    Launch launch = Launches.sh("echo started; sleep 0.2").launch();
    server.start(launch);
    server.start(launch);
    server.await(launch, Kind.FINISHED);
    server.start(launch);
    server.finish(Launches.sh("echo after").launch());

    assertThat(server.log(launch)).isEqualTo("started\n");
    assertThat(server.kinds(launch)).containsExactly(Kind.STARTED, Kind.FINISHED);
  }

  @Test
  void standardInputIsEmpty() {
    Launch launch = server.finish(Launches.sh("cat; echo read").launch());

    assertThat(server.log(launch)).isEqualTo("read\n");
  }

  @Test
  void whatOutlivesItsLeaderIsEndedBeforeTheAttemptIsFinished() {
    Launch launch =
        Launches.sh("sleep 60 & echo in $!; setsid sh -c 'echo out $$; exec sleep 60' & sleep 0.2")
            .launch();
    server.start(launch);

    server.await(launch, Kind.FINISHED);

    assertThat(List.of(server.printed(launch, "in "), server.printed(launch, "out ")))
        .noneMatch(LocalServer::alive);
  }

  @Test
  void workingDirectoriesGoWithTheAttemptAndRecordsWhenItsEndIsCommitted() {
    Launch launch =
        server.finish(Launches.sh("mkdir -p a/b; : > a/b/c; chmod 0 a/b; pwd").launch());
    Path work = server.directory.resolve("work");

    assertThat(server.log(launch))
        .isEqualTo(
            AttemptFolder.in(work, launch.attempt()).attempt().resolve("main-0").toString() + "\n");
    assertThat(work.resolve(launch.attempt().job().toString())).doesNotExist();
    LocalServer.until("removal", () -> work.resolve(".discarded").toFile().list().length == 0);
    assertThat(server.directory.resolve("attempts")).isNotEmptyDirectory();
    server.executor.ended(launch.attempt());
    server.awaitNoRecords();
  }

  @Test
  void aDirectoryThatCannotBeUsedIsNamedAtOnce() throws Exception {
    Path file = Files.createFile(temporary.resolve("file"));
    LocalExecutorSettings settings =
        LocalExecutorSettings.of(file.resolve("executor"), server.fleet::get);

    assertThatThrownBy(() -> new LocalExecutor(settings, report -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the local executor cannot use its directory " + file);
  }

  @Test
  void twoServersDoNotShareADirectory() {
    assertThatThrownBy(() -> new LocalExecutor(server.settings(), report -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("another server uses it");
  }
}
