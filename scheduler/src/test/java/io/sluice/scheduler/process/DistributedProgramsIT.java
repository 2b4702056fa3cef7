// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.scheduler.process.Caller.Reply;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Programs of several processes, unchanged from what their frameworks' guides show: each process
 * finds the others by its environment alone.
 */
class DistributedProgramsIT {
  private static final String JAX =
      """
      import jax
      jax.distributed.initialize()
      from jax.experimental import multihost_utils
      import jax.numpy as jnp
      ranks = multihost_utils.process_allgather(jnp.array([jax.process_index()]))
      print("ranks", sorted(int(rank) for rank in ranks.flatten()), flush=True)
      jax.distributed.shutdown()
      """;
  private static final String TORCH =
      """
      import torch
      import torch.distributed as dist
      dist.init_process_group("gloo")
      total = torch.tensor([dist.get_rank() + 1])
      dist.all_reduce(total)
      print("sum", int(total.item()), "of", dist.get_world_size(), flush=True)
      dist.destroy_process_group()
      """;

  private static OneServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
    caller = server.caller();
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  private static String command(String program) throws Exception {
    return new ObjectMapper()
        .writeValueAsString(List.of(NeedsPython.Condition.python(), "-c", program));
  }

  private static String onSlices(String name, int slices) throws Exception {
    return caller.submit(
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: %s, namespace: team}
        spec:
          queue: chips
          accelerator: {type: v6e, topology: 4x4, slices: %d}
          command: %s
        """
            .formatted(name, slices, command(JAX)));
  }

  private static String onHosts(String name, int pods) throws Exception {
    return caller.submit(
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: %s, namespace: team}
        spec:
          queue: main
          requests: {cpu: 1}
          podSets: [{name: workers, count: %d}]
          command: %s
        """
            .formatted(name, pods, command(TORCH)));
  }

  private static void assertEachPrinted(String id, int processes, String line) throws Exception {
    Reply job = caller.await("/v1/jobs/" + id, reply -> !reply.at("/status/finishedAt").isEmpty());
    Reply log = caller.get("/v1/jobs/" + id + "/logs").is(200);
    assertThat(job.at("/status/state")).as(log.text()).isEqualTo("SUCCEEDED");
    assertThat(log.text().lines().filter(text -> text.endsWith("] " + line)))
        .as(log.text())
        .hasSize(processes);
  }

  private static String ranks(int processes) {
    return "ranks " + IntStream.range(0, processes).boxed().toList();
  }

  @Test
  @NeedsPython("jax")
  void theEightWorkersOfTwoSlicesInitializeJaxWithoutArguments() throws Exception {
    assertEachPrinted(onSlices("eight", 2), 8, ranks(8));
  }

  @Test
  @NeedsPython("jax")
  void jobsOfOneSliceThatRunAtOnceInitializeJaxEachOnItsOwn() throws Exception {
    String first = onSlices("first", 1);
    String second = onSlices("second", 1);
    assertEachPrinted(first, 4, ranks(4));
    assertEachPrinted(second, 4, ranks(4));
  }

  @Test
  @NeedsPython("torch")
  void jobsOfTwoPodsThatRunAtOnceFormAProcessGroupEach() throws Exception {
    String first = onHosts("first-group", 2);
    String second = onHosts("second-group", 2);
    assertEachPrinted(first, 2, "sum 3 of 2");
    assertEachPrinted(second, 2, "sum 3 of 2");
  }
}
