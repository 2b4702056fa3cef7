// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.placement.DomainChoice.Chosen;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.Topology;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The choice among random domains is the one that sorting all of them gives. */
class DomainChoiceTest {
  private static final int COUNT = 2000;

  /** Random room in hosts in racks, and pods that look for domains. */
  private static final class Trial {
    final DomainCounts counts;
    final DomainOrder order;
    final int pods;
    final int leaders;

    Trial(SplittableRandom random) {
      int hosts = 1 + random.nextInt(random.nextBoolean() ? 10 : 400);
      NodeTopology topology = topology(hosts, 1 + random.nextInt(30));
      int level = random.nextInt(2);
      boolean required = random.nextBoolean();
      boolean anywhere = !required && random.nextBoolean();
      int size = 1 + random.nextInt(3);
      leaders = random.nextInt(2);
      boolean prefers = random.nextInt(3) == 0;
      counts =
          new DomainCounts(
              topology,
              new PlacementShape(level, required, anywhere, size, 1, List.of(1, 1)),
              leaders > 0);
      int most = 1 + random.nextInt(random.nextBoolean() ? 4 : 60);
      for (int leaf = topology.first(1); leaf < topology.first(2); leaf++) {
        counts.pods[leaf] = random.nextInt(most);
        if (leaders > 0) {
          counts.leaders[leaf] = random.nextInt(2);
          counts.podsBeside[leaf] =
              Math.max(0, counts.pods[leaf] - counts.leaders[leaf] * random.nextInt(3));
        }
        counts.preference[leaf] = prefers ? random.nextInt(3) : 0;
      }
      counts.sumUp();
      order = new DomainOrder(counts, random.nextBoolean(), prefers);
      pods = size * (1 + random.nextInt(hosts * most));
    }

    private static NodeTopology topology(int hosts, int perRack) {
      List<Host> all = new ArrayList<>();
      for (int number = 0; number < hosts; number++) {
        String name = "host-%04d".formatted(number);
        String rack = "rack-%04d".formatted(number / perRack);
        all.add(
            new Host(
                name, Labels.of(Map.of("rack", rack, Topology.HOSTNAME, name)), ResourceList.NONE));
      }
      return new NodeTopology(List.of("rack", Topology.HOSTNAME), Labels.NONE, all);
    }
  }

  @Test
  void theChoiceIsThatOfSortingAllDomains() {
    Seeds.check(
        COUNT,
        random -> {
          Trial trial = new Trial(random);
          Chosen chosen =
              new DomainChoice(trial.counts, trial.order, trial.pods, trial.leaders).choose();
          assertThat(chosen).isEqualTo(new BySorting(trial).choose());
        });
  }

  /** The same rules, each by a walk over sorted domains. */
  private static final class BySorting {
    private final DomainCounts counts;
    private final DomainOrder order;
    private final PlacementShape shape;
    private final int bundles;
    private final int leaders;

    BySorting(Trial trial) {
      this.counts = trial.counts;
      this.order = trial.order;
      this.shape = counts.shape();
      this.bundles = trial.pods / shape.bundleSize();
      this.leaders = trial.leaders;
    }

    Chosen choose() {
      for (int level = shape.level(); ; level--) {
        NodeTopology topology = counts.topology();
        int[] all = IntStream.range(topology.first(level), topology.first(level + 1)).toArray();
        List<Integer> sorted = IntStream.of(order.sortedForLeader(all)).boxed().toList();
        List<Integer> holdAll = sorted.stream().filter(this::holdsAll).toList();
        boolean looksFurther = order.leastFirst() || shape.required();
        if (!holdAll.isEmpty() && (looksFurther || holdAll.get(0).equals(sorted.get(0)))) {
          int first = holdAll.get(0);
          int taken =
              order.leastFirst()
                  ? first
                  : order.tightest(all(holdAll), 0, bundles, beside(), leaders);
          return new Chosen(level, List.of(taken), bundles);
        }
        if (shape.required()) {
          int widest = sorted.get(order.leastFirst() ? sorted.size() - 1 : 0);
          return new Chosen(level, List.of(), Math.min(bundles, counts.bundles[widest]));
        }
        if (level == 0 || shape.anywhere()) {
          return several(level, sorted);
        }
      }
    }

    private boolean holdsAll(int domain) {
      return counts.bundlesBeside[domain] >= bundles && counts.leaders[domain] >= leaders;
    }

    private int[] beside() {
      return counts.bundlesBeside;
    }

    private static int[] all(List<Integer> domains) {
      return domains.stream().mapToInt(Integer::intValue).toArray();
    }

    private Chosen several(int level, List<Integer> sorted) {
      List<Integer> chosen = new ArrayList<>();
      List<Integer> others = new ArrayList<>(sorted);
      int left = bundles;
      if (leaders > 0) {
        int sum = sorted.stream().mapToInt(domain -> counts.bundles[domain]).sum();
        List<Integer> leading =
            sorted.stream()
                .filter(domain -> counts.leaders[domain] >= leaders)
                .filter(domain -> sum - counts.bundles[domain] + beside()[domain] >= bundles)
                .toList();
        if (leading.isEmpty()) {
          return new Chosen(level, List.of(), 0);
        }
        chosen.add(leading.get(0));
        left -= beside()[leading.get(0)];
        others.remove(leading.get(0));
      }
      others.removeIf(domain -> counts.bundles[domain] == 0);
      int[] inOrder = order.sorted(all(others));
      for (int next = 0; left > 0 && next < inOrder.length; next++) {
        int domain = inOrder[next];
        if (!order.leastFirst() && counts.bundles[domain] >= left) {
          domain = order.tightest(inOrder, next, left, counts.bundles, 0);
        }
        chosen.add(domain);
        left -= counts.bundles[domain];
      }
      return left > 0
          ? new Chosen(level, List.of(), bundles - left)
          : new Chosen(level, Collections.unmodifiableList(chosen), bundles);
    }
  }
}
