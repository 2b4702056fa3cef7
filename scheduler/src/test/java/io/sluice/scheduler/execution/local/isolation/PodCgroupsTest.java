// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Which folders bound memory, and a pod that uses too much in one that does. */
class PodCgroupsTest {
  private static final Path SHELL = Path.of("/bin/sh");
  private static final long BYTES = 32 << 20;

  private static void assertRefused(Path folder, String reason) {
    assertThatThrownBy(() -> PodCgroups.open(folder, SHELL))
        .isInstanceOfSatisfying(
            IsolationException.class,
            refused -> assertThat(refused.reason()).contains(folder.toString(), reason));
  }

  @Test
  void foldersThatAreNoDelegatedCgroupsAreRefused(@TempDir Path folder) throws Exception {
    assertRefused(folder.resolve("missing"), "is no cgroup of version 2");
    assertRefused(folder, "is no cgroup of version 2");
    Files.writeString(folder.resolve("cgroup.controllers"), "cpu pids\n");
    assertRefused(folder, "its parent does not pass it on");
    Files.writeString(folder.resolve("cgroup.controllers"), "cpu memory pids\n");
    assertRefused(folder, "is no cgroup of version 2");
    Files.writeString(folder.resolve("cgroup.subtree_control"), "\n");
    assertRefused(folder, "have no writable memory.max");
  }

  @Test
  @EnabledIfEnvironmentVariable(
      named = "SLUICE_TEST_CGROUP",
      matches = "/.+",
      disabledReason = "SLUICE_TEST_CGROUP names no delegated cgroup, of version 2 with memory")
  void aPodThatUsesMoreThanItMayIsEndedAndItIsSaidWhy() throws Exception {
    Path folder = Path.of(System.getenv("SLUICE_TEST_CGROUP"));
    PodCgroups cgroups = PodCgroups.open(folder, SHELL);
    AttemptKey attempt = new AttemptKey(new JobId(UUID.randomUUID()), 0, 1);
    assertThat(run(cgroups, attempt, "head -c 1000000 /dev/zero | tail | wc -c")).isZero();
    assertThat(cgroups.killed(attempt, "main-0")).isEmpty();
    assertThat(run(cgroups, attempt, "head -c 100000000 /dev/zero | tail | wc -c")).isEqualTo(137);
    assertThat(cgroups.killed(attempt, "main-0"))
        .isEqualTo(", because it used more than the 32Mi of memory that it requests");
    cgroups.discardAllBut(List.of(attempt));
    assertThat(folder)
        .isDirectoryContaining(one -> one.getFileName().toString().endsWith("main-0"));
    cgroups.discard(attempt);
    assertThat(folder)
        .isDirectoryNotContaining(one -> one.getFileName().toString().endsWith("main-0"));
  }

  private static int run(PodCgroups cgroups, AttemptKey attempt, String script) throws Exception {
    Confinement confinement = Confinement.NONE.behind(cgroups.enter(attempt, "main-0", BYTES));
    return new ProcessBuilder(confinement.command(List.of("/bin/sh", "-c", script)))
        .inheritIO()
        .start()
        .waitFor();
  }
}
