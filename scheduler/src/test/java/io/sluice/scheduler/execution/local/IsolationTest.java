// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.isolation.AccountRange;
import io.sluice.scheduler.execution.local.isolation.IsolationSettings;
import io.sluice.scheduler.execution.local.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IsolationTest {
  private final Path temporary;
  private final LocalServer server;

  IsolationTest(@TempDir Path temporary) {
    this.temporary = temporary;
    this.server = LocalServer.in(temporary);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static String user() throws IOException {
    return Tool.run(List.of("/usr/bin/id", "-u"), Duration.ofSeconds(10)).text();
  }

  private static void assumeRootThatCanSwitch() throws IOException {
    assumeTrue("0".equals(user()) && Tool.find("setpriv").isPresent());
  }

  @Test
  void theEnvironmentIsTheBaseTheUsersAndTheIdentityAndNothingElse() throws IOException {
    assertThat(System.getenv()).as("the server has more than it passes on").hasSizeGreaterThan(3);
    Launch launch =
        server.finish(
            Launches.of("env")
                .environment(
                    Map.of("UID", "7", "IFS", ":", "HOME", "/mine", "SLUICE_POD", "forged"))
                .launch());

    Map<String, String> environment =
        server
            .log(launch)
            .lines()
            .map(line -> line.split("=", 2))
            .collect(Collectors.toMap(part -> part[0], part -> part[1]));
    Set<String> expected =
        new TreeSet<>(
            Set.of(
                "PATH",
                "HOME",
                "TMPDIR",
                "UID",
                "IFS",
                "SLUICE_POD",
                "SLUICE_HOST",
                "SLUICE_EXECUTOR_ID",
                "SLUICE_JOB_ID",
                "SLUICE_INDEX",
                "SLUICE_ATTEMPT",
                "SLUICE_GENERATION",
                "SLUICE_PROGRESS_FILE",
                "SLUICE_CHECKPOINT_FILE",
                "SLUICE_OUTPUT_FILE",
                "JOB_COMPLETION_INDEX"));
    if ("0".equals(user())) {
      expected.addAll(Set.of("LOGNAME", "USER"));
    }
    System.getenv().keySet().stream().filter(Set.of("LANG", "TZ")::contains).forEach(expected::add);
    assertThat(environment.keySet()).isEqualTo(expected);
    assertThat(environment)
        .containsEntry("UID", "7")
        .containsEntry("IFS", ":")
        .containsEntry("HOME", "/mine")
        .containsEntry("SLUICE_POD", "main-0")
        .containsEntry("SLUICE_HOST", "local");
  }

  @Test
  void homeAndTemporaryFilesAreInTheWorkingDirectory() {
    Launch launch = server.finish(Launches.sh("pwd; echo $HOME; echo $TMPDIR; : > t").launch());

    assertThat(server.log(launch).lines().distinct()).hasSize(1);
  }

  @Test
  void noDescriptorOfTheServerIsOpenInAPod() {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")));
    Launch launch =
        server.finish(Launches.sh("exec 9>fds; ls -l /proc/$$/fd >&9; cat fds").launch());

    assertThat(
            server
                .log(launch)
                .lines()
                .filter(line -> line.contains(" -> "))
                .map(line -> line.substring(line.indexOf(" -> ") + 4)))
        .allMatch(
            target ->
                target.equals("/dev/null")
                    || target.endsWith("/main-0.log")
                    || target.endsWith("/fds")
                    || target.startsWith("/proc/"));
  }

  @Test
  void aRootServerRunsPodsAsTheAccountOfTheirNamespaceWithoutRights() throws IOException {
    assumeRootThatCanSwitch();

    Launch launch =
        server.finish(
            Launches.sh(
                    "id -u; id -G; umask; ulimit -c; stat -c %u:%a .;"
                        + " grep -E '^(NoNewPrivs|Cap)' /proc/self/status | tr -d '\\t'")
                .launch());

    List<String> printed = server.log(launch).lines().toList();
    String account = printed.get(0);
    assertThat(Integer.parseInt(account)).isGreaterThanOrEqualTo(1000).isNotEqualTo(65_534);
    assertThat(printed)
        .containsExactly(
            account,
            account,
            "0077",
            "0",
            account + ":700",
            "CapInh:0000000000000000",
            "CapPrm:0000000000000000",
            "CapEff:0000000000000000",
            "CapBnd:0000000000000000",
            "CapAmb:0000000000000000",
            "NoNewPrivs:1");
  }

  @Test
  void aNamespaceKeepsItsAccountThroughRestartsAndSharesItWithNoOther() throws IOException {
    assumeRootThatCanSwitch();
    String first = account("team-a");
    String second = account("team-b");
    server.restart();

    assertThat(account("team-b")).isEqualTo(second).isNotEqualTo(first);
    assertThat(account("team-a")).isEqualTo(first);
    assertThat(Files.readAllLines(server.directory.resolve("job-accounts")))
        .containsExactly("team-a " + first, "team-b " + second);
  }

  private String account(String namespace) {
    return server.log(server.finish(Launches.sh("id -u").namespace(namespace).launch())).strip();
  }

  @Test
  void otherCallersJobsFailToStartUnlessTheyAreIsolatedOrTheirCallersTrusted() throws IOException {
    IsolationSettings unable = // no account may have an id that is nobody's
        IsolationSettings.DEFAULT.with(new AccountRange(65_000, 65_600), 100);
    assumeRootThatCanSwitch();
    server.close();
    AtomicBoolean others = new AtomicBoolean();
    try (LocalExecutor executor =
        new LocalExecutor(
            server.settings().isolating(unable.with(others::get, false)), server.reports::add)) {
      server.executor = executor;
      Launch alone = server.finish(Launches.sh("id -u").launch());
      assertThat(server.log(alone)).isEqualTo("65534\n");

      others.set(true);
      Launch refused = Launches.sh("id -u").launch();
      server.start(refused);
      AttemptReport report = server.await(refused, Kind.FAILED);
      assertThat(report.cause()).isEqualTo(FailureCause.START_FAILED);
      assertThat(report.message()).contains("several callers", "65000-65600", "--trust-callers");
    }
    try (LocalExecutor executor =
        new LocalExecutor(
            server.settings().isolating(unable.with(() -> true, true)), server.reports::add)) {
      server.executor = executor;
      Launch trusted = server.finish(Launches.sh("id -u").launch());
      assertThat(server.log(trusted))
          .startsWith("[sluice: not isolated from jobs of other callers (--trust-callers): ")
          .endsWith("]\n65534\n");
    }
  }

  @Test
  void aPodCannotTouchWhatTheExecutorKeeps() throws IOException {
    assumeRootThatCanSwitch();
    Path outside = Files.createFile(temporary.resolve("outside"));
    String script =
        "cd "
            + server.directory
            + " && for f in . logs attempts work executor-id lock; do"
            + " [ -w $f ] && echo can write $f; done;"
            + " ls logs attempts work 2>&1 | grep -v denied;"
            + " cat executor-id; rm -f "
            + outside
            + "; echo tried";

    Launch launch = server.finish(Launches.sh(script + " 2>/dev/null").launch());

    assertThat(server.log(launch).lines().filter(line -> !line.contains("denied")))
        .containsExactly("tried");
    assertThat(outside).exists();
  }

  @Test
  void aPodCanOpenItsStandardErrorAgain() {
    assumeTrue(Files.exists(Path.of("/dev/stderr")));

    Launch launch = server.finish(Launches.sh("echo again >> /dev/stderr").launch());

    assertThat(server.log(launch)).isEqualTo("again\n");
  }

  @Test
  void whatAUserPreloadsIsNotLoadedByProgramsThatRunAsRoot() throws IOException {
    assumeRootThatCanSwitch();
    // The loader names a library it cannot load once for each program that it loads.
    Launch launch =
        server.finish(
            Launches.of("/bin/true").environment(Map.of("LD_PRELOAD", "/no/such.so")).launch());

    assertThat(server.log(launch).lines().filter(line -> line.contains("/no/such.so"))).hasSize(1);
  }

  @Test
  void aLinkInAWorkingDirectoryIsRemovedAndNotFollowed() throws IOException {
    Path outside =
        Files.setPosixFilePermissions(
            Files.createDirectory(temporary.resolve("outside")),
            PosixFilePermissions.fromString("rwxr-xr-x"));
    Path kept = Files.createFile(outside.resolve("kept"));
    Launch launch = server.finish(Launches.sh("mkdir d; ln -s " + outside + " d/link").launch());

    Path discarded = server.directory.resolve("work/.discarded");
    LocalServer.until("removal", () -> discarded.toFile().list().length == 0);

    assertThat(server.kinds(launch)).hasSize(2);
    assertThat(kept).exists();
  }

  @Test
  void nothingRunsAsRootWhereNoAccountCanReachTheDirectory() throws IOException {
    assumeRootThatCanSwitch();
    server.close();
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx------"));
    try (LocalExecutor executor = new LocalExecutor(server.settings(), server.reports::add)) {
      server.executor = executor;
      Launch launch = Launches.sh("id -u").launch();
      server.start(launch);

      AttemptReport report = server.await(launch, Kind.FAILED);

      assertThat(report.cause()).isEqualTo(FailureCause.START_FAILED);
      assertThat(report.message()).contains("the server is root", "chmod o+x");
    }
    assertThat(Files.getOwner(temporary, LinkOption.NOFOLLOW_LINKS).getName()).isEqualTo("root");
  }
}
