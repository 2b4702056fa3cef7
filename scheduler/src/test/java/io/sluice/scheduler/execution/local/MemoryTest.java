// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.isolation.IsolationSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Pods in cgroups that bound their memory, on a machine that delegates one for tests. */
@EnabledIfEnvironmentVariable(
    named = "SLUICE_TEST_CGROUP",
    matches = "/.+",
    disabledReason = "SLUICE_TEST_CGROUP names no delegated cgroup, of version 2 with memory")
class MemoryTest {
  private static final long BYTES = 32 << 20;

  @Test
  void aPodMayUseWhatItRequestsAndIsEndedIfItUsesMore(@TempDir Path temporary) {
    Path cgroup = Path.of(System.getenv("SLUICE_TEST_CGROUP"));
    IsolationSettings bounded = IsolationSettings.DEFAULT.in(cgroup);
    try (LocalServer server = LocalServer.in(temporary, settings -> settings.isolating(bounded))) {
      String uses = "head -c %d /dev/zero | tail | wc -c; cat /proc/self/cgroup";
      Launch modest = server.finish(Launches.sh(uses.formatted(1_000_000)).memory(BYTES).launch());
      assertThat(server.log(modest))
          .startsWith("1000000\n")
          .contains(modest.attempt().job() + "-0-1");

      Launch greedy = Launches.sh(uses.formatted(100_000_000)).memory(BYTES).launch();
      server.start(greedy);
      assertThat(server.await(greedy, Kind.FAILED).message())
          .isEqualTo(
              "pod main-0 on host local was ended by SIGKILL, because it used more than the 32Mi of"
                  + " memory that it requests");
      server.await(greedy, Kind.DRAINED);
      assertThat(cgroup)
          .isDirectoryNotContaining(one -> one.getFileName().toString().endsWith("main-0"));
      assertThat(server.log(server.finish(Launches.sh("echo free").launch()))).isEqualTo("free\n");
    }
  }
}
