// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.local.Launches;
import io.sluice.scheduler.execution.local.LocalServer;
import io.sluice.scheduler.execution.local.process.ProcessTable.Carrier;
import io.sluice.scheduler.execution.local.process.ProcessTable.Remains;
import io.sluice.scheduler.execution.local.process.ProcessTable.Sought;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LinuxProcessTableTest {
  private static final Path PROC = Path.of("/proc");

  private final String executorId = UUID.randomUUID().toString();
  private final LinuxProcessTable table = new LinuxProcessTable(PROC, executorId);
  private final AttemptKey attempt = Launches.newAttempt();
  private final List<Long> started = new ArrayList<>();

  LinuxProcessTableTest() {
    assumeTrue(LinuxProcessTable.readable(PROC));
  }

  @AfterEach
  void end() {
    started.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
  }

  /** Starts a leader that runs a child; gives the leader's pid and the child's. */
  private List<Long> leaderAndChild(String script, Map<String, String> environment)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder("setsid", "sh", "-c", script);
    builder.environment().putAll(environment);
    Process leader = builder.start();
    long child = Long.parseLong(leader.inputReader(StandardCharsets.US_ASCII).readLine());
    started.add(leader.pid());
    started.add(child);
    // A process has neither arguments nor an environment for a moment while it becomes a program.
    LocalServer.until("child's program", () -> arguments(child).startsWith("sleep"));
    return List.of(leader.pid(), child);
  }

  private static String arguments(long pid) {
    try {
      return Files.readString(PROC.resolve(pid + "/cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }

  private Remains remains(ProcessMark leader) {
    return Objects.requireNonNull(
        table
            .remains(List.of(new Sought(attempt, List.of(leader), OptionalInt.empty())))
            .get(attempt));
  }

  @Test
  void aGroupIsThereWithItsLeaderAndWithoutIt() throws Exception {
    List<Long> pids = leaderAndChild("sleep 60 & echo $!; wait", Map.of());
    ProcessMark leader = new ProcessMark(pids.get(0), table.startOf(pids.get(0)).orElseThrow());

    assertThat(remains(leader).groups()).containsExactly(pids.get(0));
    assertThat(remains(leader).members()).extracting(ProcessMark::pid).hasSameElementsAs(pids);

    ProcessHandle.of(pids.get(0)).ifPresent(ProcessHandle::destroyForcibly);
    LocalServer.until("leader's end", () -> table.startOf(pids.get(0)).isEmpty());

    assertThat(remains(leader).groups()).containsExactly(pids.get(0));
    assertThat(remains(leader).members()).extracting(ProcessMark::pid).containsExactly(pids.get(1));
  }

  @Test
  void aGroupWhoseNumberBelongsToAnotherProcessNowIsPassedOver() throws Exception {
    List<Long> pids = leaderAndChild("sleep 60 & echo $!; wait", Map.of());
    long start = table.startOf(pids.get(0)).orElseThrow();

    assertThat(remains(new ProcessMark(pids.get(0), start - 1)).isEmpty()).isTrue();
  }

  @Test
  void processesOutOfTheirGroupAreFoundByTheirEnvironment() throws Exception {
    Map<String, String> identity =
        Map.of(
            "SLUICE_EXECUTOR_ID",
            executorId,
            "SLUICE_JOB_ID",
            attempt.job().toString(),
            "SLUICE_INDEX",
            "0",
            "SLUICE_ATTEMPT",
            "1");
    List<Long> pids = leaderAndChild("sleep 60 & echo $!; wait", identity);

    Remains found =
        Objects.requireNonNull(
            table
                .remains(List.of(new Sought(attempt, List.of(), OptionalInt.empty())))
                .get(attempt));

    assertThat(found.groups()).isEmpty();
    assertThat(found.strays()).extracting(ProcessMark::pid).hasSameElementsAs(pids);
    OptionalInt user = LinuxProcessTable.userOf(PROC, pids.get(0));
    assertThat(strays(user).strays()).hasSize(2);
    assertThat(strays(OptionalInt.of(user.orElseThrow() + 1)).isEmpty())
        .as("processes of another user, who only says that they are the attempt's")
        .isTrue();
    assertThat(table.carriers())
        .extracting(Carrier::attempt, carrier -> carrier.process().pid(), Carrier::group)
        .containsExactlyInAnyOrder(
            tuple(attempt, pids.get(0), pids.get(0)), tuple(attempt, pids.get(1), pids.get(0)));
  }

  private Remains strays(OptionalInt user) {
    return Objects.requireNonNull(
        table.remains(List.of(new Sought(attempt, List.of(), user))).get(attempt));
  }

  @Test
  void processesOfAnotherExecutorAreNotOurs() throws Exception {
    Map<String, String> identity =
        Map.of(
            "SLUICE_EXECUTOR_ID",
            UUID.randomUUID().toString(),
            "NOTE",
            "SLUICE_EXECUTOR_ID=" + executorId,
            "SLUICE_JOB_ID",
            attempt.job().toString(),
            "SLUICE_INDEX",
            "0",
            "SLUICE_ATTEMPT",
            "1");
    List<Long> pids = leaderAndChild("sleep 60 & echo $!; wait", identity);

    assertThat(pids).hasSize(2);
    assertThat(table.carriers()).isEmpty();
  }
}
