// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.execution.Launch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RendezvousTest {
  private static final LoopbackAddresses ADDRESSES = new LoopbackAddresses(true, "executor");

  private final Rendezvous rendezvous = new Rendezvous(ADDRESSES, true);

  private static List<PodPlan> pods(Launch launch, int count) {
    return IntStream.range(0, count)
        .mapToObj(
            ordinal ->
                PodPlanner.onHost(
                    launch, launch.job().podSets().get(0), ordinal, "host-" + ordinal))
        .toList();
  }

  private Map<String, String> first(Launch launch) throws CannotStartException {
    return rendezvous.join(launch, pods(launch, 2)).get(0).meeting();
  }

  @Test
  void podsMeetAtTheFirst() throws Exception {
    Launch launch = Launches.sh("true").pods(3).launch();
    Map<String, String> last = rendezvous.join(launch, pods(launch, 3)).get(2).meeting();
    assertThat(last)
        .containsEntry("MASTER_ADDR", ADDRESSES.of("host-0"))
        .containsEntry("RANK", "2")
        .containsEntry("NODE_RANK", "2")
        .containsEntry("WORLD_SIZE", "3")
        .doesNotContainKeys("JAX_FORCE_TPU_INIT", "JAX_PLATFORMS");
    int port = Integer.parseInt(last.get("MASTER_PORT"));
    assertThat(last)
        .containsEntry("JAX_COORDINATOR_ADDRESS", ADDRESSES.of("host-0") + ":" + (port + 1))
        .containsEntry("JAX_COORDINATOR_BIND_ADDRESS", last.get("JAX_COORDINATOR_ADDRESS"));
  }

  @Test
  void aPodAloneMeetsNobody() throws Exception {
    Launch launch = Launches.sh("true").launch();
    assertThat(rendezvous.join(launch, pods(launch, 1)).get(0).meeting()).isEmpty();
  }

  @Test
  void theOneWorkerOfASliceIsToldOfItsCoordinator() throws Exception {
    Launch launch = Launches.sh("true").slices("s1").launch();
    assertThat(rendezvous.join(launch, pods(launch, 1)).get(0).meeting().keySet())
        .containsExactly(
            "JAX_COORDINATOR_ADDRESS",
            "JAX_COORDINATOR_BIND_ADDRESS",
            "JAX_FORCE_TPU_INIT",
            "JAX_PLATFORMS",
            "MEGASCALE_NUM_SLICES",
            "MEGASCALE_SLICE_ID");
    assertThat(
            new Rendezvous(ADDRESSES, false)
                .join(launch, pods(launch, 1))
                .get(0)
                .meeting()
                .keySet())
        .containsExactly("JAX_COORDINATOR_ADDRESS", "JAX_COORDINATOR_BIND_ADDRESS");
  }

  @Test
  void attemptsThatLiveAtOnceHavePortsOfTheirOwnAndKeepThem() throws Exception {
    Map<String, Launch> byPort = new TreeMap<>();
    for (int number = 0; number < 200; number++) {
      Launch launch = Launches.sh("true").pods(2).launch();
      String port = first(launch).get("MASTER_PORT");
      assertThat(byPort.put(port, launch)).isNull();
      assertThat(first(launch)).containsEntry("MASTER_PORT", port);
    }
  }

  @Test
  void aPortOnWhichSomebodyListensIsNotGiven() throws Exception {
    Launch launch = Launches.sh("true").pods(2).launch();
    String port = first(launch).get("MASTER_PORT");
    rendezvous.leave(launch.attempt());
    try (ServerSocket taken = listen(Integer.parseInt(port) + 1)) {
      assertThat(first(launch).get("MASTER_PORT")).isNotEqualTo(port);
      assertThat(taken.isBound()).isTrue();
    }
  }

  /** At one address alone, as a coordinator does. */
  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getByName("127.9.9.9"));
  }

  @Test
  void eachHostHasAnAddressOfItsOwnWhereAllOfTheNetworkIsLoopback() {
    List<String> hosts = IntStream.range(0, 100).mapToObj(number -> "w" + number).toList();
    assertThat(ADDRESSES.of(hosts)).doesNotHaveDuplicates().isEqualTo(ADDRESSES.of(hosts));
    assertThat(ADDRESSES.of(hosts))
        .allSatisfy(
            address -> assertThat(InetAddress.getByName(address).isLoopbackAddress()).isTrue())
        .noneMatch(address -> address.startsWith("127.0."));
    assertThat(new LoopbackAddresses(false, "executor").of(hosts)).containsOnly("127.0.0.1");
  }
}
