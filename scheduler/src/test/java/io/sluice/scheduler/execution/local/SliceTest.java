// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.scheduler.execution.Launch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SliceTest {
  private final LocalServer server;

  SliceTest(@TempDir Path temporary) {
    this.server = LocalServer.in(temporary);
    server.fleet.set(Launches.slicesOfFour("s1", "s2", "s3"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void theEightPodsOfTwoSlicesAreWhoTheirHostsAre() {
    Launch launch =
        server.finish(
            Launches.of("env")
                .slices("s3", "s1")
                .pods(8)
                .environment(
                    Map.of("TPU_WORKER_ID", "99", "MEGASCALE_NUM_SLICES", "7", "MINE", "m"))
                .launch());

    LoopbackAddresses addresses = new LoopbackAddresses(server.executor.id());
    List<String> pods = server.executor.logs().pods(launch.attempt());
    List<Map<String, String>> environments = new ArrayList<>();
    for (String pod : pods) {
      environments.add(environment(server.log(launch.attempt(), pod)));
    }
    assertThat(pods).hasSize(8).startsWith("main-0", "main-1").endsWith("main-7");
    for (int ordinal = 0; ordinal < 8; ordinal++) {
      int sliceId = ordinal / 4;
      String slice = sliceId == 0 ? "s3" : "s1";
      assertThat(environments.get(ordinal))
          .containsEntry("SLUICE_POD", "main-" + ordinal)
          .containsEntry("SLUICE_HOST", slice + "-w" + ordinal % 4)
          .containsEntry("TPU_WORKER_ID", Integer.toString(ordinal % 4))
          .containsEntry("TPU_NAME", slice)
          .containsEntry(
              "TPU_WORKER_HOSTNAMES",
              String.join(
                  ",",
                  addresses.of(
                      List.of(slice + "-w0", slice + "-w1", slice + "-w2", slice + "-w3"))))
          .containsEntry("TPU_ACCELERATOR_TYPE", "v6e-16")
          .containsEntry("MEGASCALE_NUM_SLICES", "2")
          .containsEntry("MEGASCALE_SLICE_ID", Integer.toString(sliceId))
          .containsEntry("MEGASCALE_COORDINATOR_ADDRESS", addresses.of("s3-w0"))
          .containsEntry("MASTER_ADDR", addresses.of("s3-w0"))
          .containsEntry("RANK", Integer.toString(ordinal))
          .containsEntry("NODE_RANK", Integer.toString(ordinal))
          .containsEntry("WORLD_SIZE", "8")
          .containsEntry("SLUICE_JOB_ID", launch.attempt().job().toString())
          .containsEntry("SLUICE_ATTEMPT", "1")
          .containsEntry("MINE", "m");
    }
  }

  private static Map<String, String> environment(String printed) {
    return printed
        .lines()
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(part -> part[0], part -> part[1]));
  }

  @Test
  void oneSliceAloneIsToldNothingOfOthers() {
    Launch launch = server.finish(Launches.of("env").slices("s2").pods(4).launch());

    assertThat(server.log(launch))
        .contains("TPU_NAME=s2\n", "MEGASCALE_NUM_SLICES=1\n", "MEGASCALE_SLICE_ID=0\n")
        .doesNotContain("MEGASCALE_COORDINATOR_ADDRESS", "MEGASCALE_PORT");
  }

  @Test
  void aSliceThatIsNotInTheFleetFailsTheStart() {
    Launch launch = Launches.of("env").slices("s1", "s9").pods(8).launch();
    server.start(launch);
    server.await(launch, Kind.DRAINED);

    assertThat(server.await(launch, Kind.FAILED).message())
        .isEqualTo("slice s9 is not in the fleet");
  }

  @Test
  void aChangeOfTheFleetDoesNotTouchWhatRuns() {
    Launch launch = Launches.sh("sleep 0.3; echo done").slices("s1").pods(4).launch();
    server.start(launch);
    server.await(launch, Kind.STARTED);
    server.fleet.set(Launches.slicesOfFour("other"));

    server.await(launch, Kind.FINISHED);
  }
}
