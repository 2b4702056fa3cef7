// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.placement.Placement.Places;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.event.TopologyAssignment.Domain;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.TopologyRequest;
import io.sluice.queuemodel.job.TopologyRequest.Layer;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.Topology;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random hosts, usage and requests: what is found is compared with counting by hand. */
class PlacementPropertyTest {
  private static final List<String> LEVELS = List.of("block", "rack", Topology.HOSTNAME);
  private static final String FLAVOR = "near";

  /** A few hosts in racks in blocks, partly used, and pods that look for places. */
  private static final class Trial {
    final SplittableRandom random;
    final List<Host> hosts = new ArrayList<>();
    final Map<String, Integer> free = new TreeMap<>();
    final NodeUsage usage;
    final Placement placement;
    final PodSet pods;

    Trial(SplittableRandom random, boolean balances, boolean led) {
      this.random = random;
      for (int block = 0; block < 1 + random.nextInt(3); block++) {
        for (int rack = 0; rack < 1 + random.nextInt(3); rack++) {
          for (int host = 0; host < 1 + random.nextInt(4); host++) {
            addHost("b" + block, "r" + rack, "b" + block + "r" + rack + "h" + host);
          }
        }
      }
      ResourceFlavor flavor =
          new ResourceFlavor(
              ObjectMeta.named(FLAVOR), Labels.NONE, List.of(), List.of(), "topology");
      Topologies topologies =
          new Topologies(
              List.of(flavor), List.of(new Topology(ObjectMeta.named("topology"), LEVELS)), hosts);
      usage = NodeUsage.sharingHosts(topologies);
      for (Host host : hosts) {
        int used = random.nextInt(3);
        if (used > 0) {
          usage.count(
              new PlacedPods(
                  FLAVOR,
                  new TopologyAssignment(
                      List.of(Topology.HOSTNAME),
                      List.of(new Domain(List.of(host.name()), used)),
                      cpu(1))),
              1);
          free.merge(host.name(), -used, Integer::sum);
        }
      }
      PlacementRules rules = PlacementRules.DEFAULT;
      placement =
          new Placement(
              topologies,
              new PlacementRules(true, rules.fillsUp(), balances, true, true, true, true, true),
              name -> List.of());
      pods = podSet("workers", led ? "together" : null, 1 + random.nextInt(12), request());
    }

    private void addHost(String block, String rack, String name) {
      int cpu = random.nextInt(8);
      Labels labels = Labels.of(Map.of("block", block, "rack", rack, Topology.HOSTNAME, name));
      hosts.add(new Host(name, labels, cpu(cpu).plus(ResourceList.of(ResourceName.PODS, 100))));
      free.put(name, cpu);
    }

    private static ResourceList cpu(int cores) {
      return ResourceList.of(ResourceName.CPU, 1000L * cores);
    }

    private TopologyRequest request() {
      String level = LEVELS.get(random.nextInt(LEVELS.size()));
      List<Layer> layers = new ArrayList<>();
      if (random.nextInt(3) == 0) {
        int from = LEVELS.indexOf(level);
        layers.add(
            new Layer(
                LEVELS.get(from + random.nextInt(LEVELS.size() - from)), 1 + random.nextInt(3)));
      }
      return switch (random.nextInt(3)) {
        case 0 -> new TopologyRequest(level, null, false, layers);
        case 1 -> new TopologyRequest(null, level, false, layers);
        default -> new TopologyRequest(null, null, layers.isEmpty(), layers);
      };
    }

    static PodSet podSet(String name, @Nullable String group, int count, TopologyRequest request) {
      return new PodSet(
          name,
          count,
          cpu(1),
          Labels.NONE,
          List.of(),
          NodeAffinity.ANY,
          null,
          group,
          request,
          null);
    }

    int bundle() {
      List<Layer> layers = layers();
      return layers.isEmpty() ? 1 : layers.get(0).size();
    }

    private List<Layer> layers() {
      TopologyRequest request = pods.topology();
      return request == null ? List.of() : request.layers();
    }

    String bundleLevel() {
      return layers().isEmpty() ? Topology.HOSTNAME : layers().get(0).level();
    }

    Places find(List<PodsToPlace> together) {
      return placement.find(new TreeMap<>(Map.of(FLAVOR, together)), List.of(usage));
    }

    /** The path of a host down to a level, by the host's name. */
    String domain(String hostName, String level) {
      Host host = hosts.stream().filter(at -> at.name().equals(hostName)).findFirst().orElseThrow();
      StringBuilder path = new StringBuilder();
      for (String at : LEVELS.subList(0, LEVELS.indexOf(level) + 1)) {
        path.append('/').append(host.labels().get(at));
      }
      return path.toString();
    }

    /** How many whole bundles there is room for, by domain of a level above that of bundles. */
    Map<String, Integer> bundlesBy(String level) {
      Map<String, Integer> podsByBundleDomain = new TreeMap<>();
      Map<String, String> above = new TreeMap<>();
      for (Host host : hosts) {
        int room = Math.max(0, free.getOrDefault(host.name(), 0));
        String at = domain(host.name(), bundleLevel());
        podsByBundleDomain.merge(at, room, Integer::sum);
        above.put(at, domain(host.name(), level));
      }
      Map<String, Integer> bundles = new TreeMap<>();
      podsByBundleDomain.forEach(
          (at, room) -> bundles.merge(above.getOrDefault(at, at), room / bundle(), Integer::sum));
      return bundles;
    }
  }

  /** Places are found if and only if there are some, and they are as was asked. */
  private static void check(SplittableRandom random, boolean balances) {
    Trial trial = new Trial(random, balances, false);
    int wanted = trial.pods.count() / trial.bundle();
    if (trial.pods.count() % trial.bundle() != 0) {
      return;
    }
    TopologyRequest request = trial.pods.topology();
    String required = request == null ? null : request.required();
    Map<String, Integer> room = trial.bundlesBy(required == null ? trial.bundleLevel() : required);
    boolean possible =
        required == null
            ? room.values().stream().mapToInt(Integer::intValue).sum() >= wanted
            : room.values().stream().anyMatch(bundles -> bundles >= wanted);
    Places places = trial.find(List.of(new PodsToPlace(trial.pods, false, false, null)));
    assertThat(places.unplaced() == null).isEqualTo(possible);
    if (possible) {
      checkLegal(trial, Objects.requireNonNull(places.byPodSet().get("workers")), required);
    }
  }

  private static void checkLegal(Trial trial, TopologyAssignment where, @Nullable String required) {
    Map<String, Integer> bundled = new TreeMap<>();
    Map<String, Integer> together = new TreeMap<>();
    for (Domain domain : where.domains()) {
      assertThat(domain.count()).isLessThanOrEqualTo(trial.free.getOrDefault(domain.lowest(), 0));
      bundled.merge(
          trial.domain(domain.lowest(), trial.bundleLevel()), domain.count(), Integer::sum);
      if (required != null) {
        together.merge(trial.domain(domain.lowest(), required), domain.count(), Integer::sum);
      }
    }
    assertThat(where.count()).isEqualTo(trial.pods.count());
    assertThat(bundled.values()).allMatch(count -> count % trial.bundle() == 0);
    assertThat(together.size()).isLessThanOrEqualTo(1);
  }

  @Test
  void podsArePlacedIfAndOnlyIfThereIsRoom() {
    Seeds.check(3000, random -> check(random, false));
  }

  @Test
  void soAreThoseThatAreBalanced() {
    Seeds.check(3000, random -> check(random, true));
  }

  /** A leader takes room of one worker at most where it is; all are on hosts that hold them. */
  @Test
  void aLeaderAndItsWorkersFitTogether() {
    Seeds.check(
        3000,
        random -> {
          Trial trial = new Trial(random, random.nextBoolean(), true);
          TopologyRequest request = trial.pods.topology();
          PodSet leader =
              Trial.podSet(
                  "leader",
                  "together",
                  1,
                  request == null ? new TopologyRequest(null, null, true, List.of()) : request);
          Places places =
              trial.find(
                  List.of(
                      new PodsToPlace(trial.pods, false, false, null),
                      new PodsToPlace(leader, false, false, null)));
          if (places.unplaced() == null) {
            TopologyAssignment workers = Objects.requireNonNull(places.byPodSet().get("workers"));
            TopologyAssignment led = Objects.requireNonNull(places.byPodSet().get("leader"));
            assertThat(led.count())
                .as("%s %s %s %s", trial.free, trial.pods, workers.domains(), led.domains())
                .isEqualTo(1);
            Map<String, Integer> taken = new TreeMap<>();
            List<Domain> all = new ArrayList<>(workers.domains());
            all.addAll(led.domains());
            all.forEach(domain -> taken.merge(domain.lowest(), domain.count(), Integer::sum));
            taken.forEach(
                (host, count) ->
                    assertThat(count).isLessThanOrEqualTo(trial.free.getOrDefault(host, 0)));
          }
        });
  }

  /** The same question has the same answer, and asking changes nothing. */
  @Test
  void findingPlacesChangesNothing() {
    Seeds.check(
        300,
        random -> {
          Trial trial = new Trial(random, false, false);
          List<PodsToPlace> asked = List.of(new PodsToPlace(trial.pods, false, false, null));
          assertThat(trial.find(asked)).isEqualTo(trial.find(asked));
        });
  }
}
