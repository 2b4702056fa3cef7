// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.Launch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Assigns rendezvous addresses to attempts: the address of the first pod and a pair of ports, in
 * the environment variables that {@code torch.distributed} and JAX read. A variable that the job
 * sets itself keeps its value.
 *
 * <p>The ports are below Linux' range for outgoing connections. A pair is chosen by a hash of the
 * attempt's key and then probed, so concurrent attempts have different ones, also under other
 * servers on the machine. Confined to the event loop's thread.
 */
final class Rendezvous {
  private static final int FIRST_PORT = 20_000;
  private static final int PAIRS = 6_000;

  /** Offset of JAX's port in the pair. */
  private static final int JAX = 1;

  private final LoopbackAddresses addresses;
  private final boolean virtualTpus;
  private final Map<AttemptKey, Integer> ports = new HashMap<>();

  /**
   * Creates the rendezvous of an executor's attempts.
   *
   * @param virtualTpus whether slices have no real TPUs, so that JAX must run on CPUs
   */
  Rendezvous(LoopbackAddresses addresses, boolean virtualTpus) {
    this.addresses = addresses;
    this.virtualTpus = virtualTpus;
  }

  /**
   * Returns the pods of an attempt with the variables of their rendezvous.
   *
   * @param pods pods in the order of their ranks
   * @throws CannotStartException if no port is free
   */
  List<PodPlan> join(Launch launch, List<PodPlan> pods) throws CannotStartException {
    boolean slices = PodPlanner.hasSlices(launch);
    if (pods.isEmpty() || (pods.size() == 1 && !slices)) {
      return pods;
    }
    int port = port(launch.attempt());
    List<PodPlan> joined = new ArrayList<>();
    for (int rank = 0; rank < pods.size(); rank++) {
      SortedMap<String, String> variables = variables(pods, rank, port);
      if (slices && virtualTpus) {
        variables.putAll(asOnTpus(launch));
      }
      joined.add(pods.get(rank).with(variables));
    }
    return joined;
  }

  private SortedMap<String, String> variables(List<PodPlan> pods, int rank, int port) {
    String first = addresses.of(pods.get(0).host());
    TreeMap<String, String> variables = new TreeMap<>();
    if (pods.size() > 1) {
      variables.put("MASTER_ADDR", first);
      variables.put("MASTER_PORT", Integer.toString(port));
      variables.put("RANK", Integer.toString(rank));
      variables.put("NODE_RANK", Integer.toString(rank));
      variables.put("WORLD_SIZE", Integer.toString(pods.size()));
    }
    String coordinator = first + ":" + (port + JAX);
    variables.put("JAX_COORDINATOR_ADDRESS", coordinator);
    // By default the coordinator listens on all interfaces.
    variables.put("JAX_COORDINATOR_BIND_ADDRESS", coordinator);
    return variables;
  }

  /**
   * Returns variables that make JAX run on CPUs and read its workers from the variables of TPUs.
   * Without the number of slices it would query a metadata server.
   */
  private static Map<String, String> asOnTpus(Launch launch) {
    TreeMap<String, String> variables = new TreeMap<>();
    variables.put("JAX_FORCE_TPU_INIT", "true");
    variables.put("JAX_PLATFORMS", "cpu");
    if (launch.assignment().slices().size() == 1) {
      variables.put("MEGASCALE_NUM_SLICES", "1");
      variables.put("MEGASCALE_SLICE_ID", "0");
    }
    return variables;
  }

  /** Returns the first port of an attempt's pair; later generations keep it. */
  private int port(AttemptKey attempt) throws CannotStartException {
    Integer known = ports.get(attempt);
    if (known != null) {
      return known;
    }
    int start = Math.floorMod(attempt.hashCode(), PAIRS);
    for (int step = 0; step < PAIRS; step++) {
      int port = FIRST_PORT + 2 * ((start + step) % PAIRS);
      if (!ports.containsValue(port) && isFree(port) && isFree(port + JAX)) {
        ports.put(attempt, port);
        return port;
      }
    }
    throw new CannotStartException(
        "no pair of ports from %d to %d is free for its pods to meet"
            .formatted(FIRST_PORT, FIRST_PORT + 2 * PAIRS - 1));
  }

  /** Whether nothing listens on the port at any address. */
  private static boolean isFree(int port) {
    try (Socket probe = new Socket()) {
      probe.bind(new InetSocketAddress(port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  /** Forgets an attempt that has ended. */
  void leave(AttemptKey attempt) {
    ports.remove(attempt);
  }
}
