// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Clusters of pools that are drawn, whole ones and others. */
class NodeFleetPropertyTest {
  private static final int SEEDS = 300;
  private static final NodeFleet READING =
      NodeFleet.ofDefault("here", AcceleratorCatalogue.BUILT_IN);

  /** Topology, chips of a host, and how many hosts a slice has. */
  private record Kind(String tpu, String topology, int chips, int hosts) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind("tpu-v6e-slice", "2x2", 4, 1),
          new Kind("tpu-v6e-slice", "2x4", 8, 1),
          new Kind("tpu-v6e-slice", "2x4", 4, 2),
          new Kind("tpu-v6e-slice", "4x4", 4, 4),
          new Kind("tpu-v5p-slice", "2x2x4", 4, 4),
          new Kind("tpu-v5p-slice", "2x4x4", 4, 8));

  /** A pool as it was drawn, and whether its nodes contradict each other. */
  private record Pool(String name, Kind kind, int nodes, boolean torn) {
    boolean isSlice() {
      return !torn && kind.hosts() > 1 && nodes == kind.hosts();
    }

    int slices() {
      return torn ? 0 : kind.hosts() == 1 ? nodes : isSlice() ? 1 : 0;
    }
  }

  private static List<Pool> pools(SplittableRandom random) {
    List<Pool> pools = new ArrayList<>();
    int count = random.nextInt(1, 7);
    for (int number = 0; number < count; number++) {
      Kind kind = KINDS.get(random.nextInt(KINDS.size()));
      int nodes = Math.max(1, kind.hosts() + random.nextInt(-2, 2));
      pools.add(new Pool("p" + number, kind, nodes, nodes > 1 && random.nextInt(6) == 0));
    }
    return pools;
  }

  private static GkeNodes nodes(List<Pool> pools, SplittableRandom random) {
    GkeNodes nodes = GkeNodes.of("");
    for (Pool pool : pools) {
      Kind kind = pool.kind();
      nodes.then(
          "pool %s nodes %d tpu %s topology %s chips %d"
              .formatted(pool.name(), pool.nodes(), kind.tpu(), kind.topology(), kind.chips()));
      if (pool.torn()) {
        nodes.then(
            pool.name()
                + "-"
                + random.nextInt(pool.nodes())
                + " has label cloud.google.com/gke-tpu-topology=8x8");
      }
    }
    for (int number = 0; number < random.nextInt(4); number++) {
      nodes.then("node c" + number);
    }
    return nodes;
  }

  @Test
  void theOrderOfNodesDoesNotMatter() {
    Seeds.check(
        SEEDS,
        random -> {
          List<ClusterNode> seen = nodes(pools(random), random).seen();
          List<ClusterNode> shuffled = new ArrayList<>(seen);
          Collections.shuffle(shuffled, new Random(random.nextLong()));
          assertThat(READING.of(shuffled)).isEqualTo(READING.of(seen));
        });
  }

  @Test
  void aSliceIsThereExactlyWhenItIsWhole() {
    Seeds.check(
        SEEDS,
        random -> {
          List<Pool> pools = pools(random);
          ObservedFleet fleet = READING.of(nodes(pools, random).seen());
          Map<String, Long> slicesOfPool = new TreeMap<>();
          for (Slice slice : fleet.slices()) {
            String pool = slice.labels().get("cloud.google.com/gke-nodepool");
            slicesOfPool.merge(String.valueOf(pool), 1L, Long::sum);
          }
          for (Pool pool : pools) {
            assertThat(slicesOfPool.getOrDefault(pool.name(), 0L))
                .as("slices of %s", pool)
                .isEqualTo(pool.slices());
            boolean told =
                fleet.refused().containsKey(pool.name())
                    || fleet.incomplete().containsKey(pool.name());
            assertThat(told).as("a reason for %s", pool).isEqualTo(pool.slices() == 0);
          }
        });
  }

  @Test
  void aHostIsInOneSliceAtMostAndTheFleetDoesNotContradictItself() {
    Seeds.check(
        SEEDS,
        random -> {
          ObservedFleet seen = READING.of(nodes(pools(random), random).seen());
          Set<String> inSlices = new HashSet<>();
          for (Slice slice : seen.slices()) {
            slice.hosts().forEach(host -> assertThat(inSlices.add(host)).as(host).isTrue());
          }
          Fleet fleet = new Fleet(ExecutorKind.SIMULATED, seen.hosts(), seen.slices());
          assertThat(fleet.hostsOutsideSlices()).allMatch(host -> host.name().startsWith("c"));
        });
  }

  /** Whatever befalls nodes of a pool, the others are as they were. */
  @Test
  void onePoolIsNoConcernOfTheOthers() {
    Seeds.check(
        SEEDS,
        random -> {
          List<Pool> pools = pools(random);
          GkeNodes nodes = nodes(pools, random);
          ObservedFleet before = READING.of(nodes.seen());
          Pool hit = pools.get(random.nextInt(pools.size()));
          nodes.then(hit.name() + "-0 " + HAPPENINGS.get(random.nextInt(HAPPENINGS.size())));
          ObservedFleet after = READING.of(nodes.seen());
          assertThat(without(hit, after)).isEqualTo(without(hit, before));
        });
  }

  private static final List<String> HAPPENINGS =
      List.of(
          "is gone",
          "is not ready",
          "has label cloud.google.com/gke-tpu-topology=16x16",
          "has label cloud.google.com/gke-tpu-accelerator=tpu-v99",
          "has label cloud.google.com/gke-spot=true",
          "has allocatable google.com/tpu=1");

  private static List<Host> without(Pool pool, ObservedFleet fleet) {
    return fleet.hosts().stream()
        .filter(host -> !pool.name().equals(host.labels().get("cloud.google.com/gke-nodepool")))
        .collect(Collectors.toList());
  }
}
