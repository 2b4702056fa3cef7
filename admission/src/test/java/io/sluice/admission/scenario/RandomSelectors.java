// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.testing.FleetBuilder;
import io.sluice.testing.WorkloadBuilder;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Flavors, labels and taints of the hosts of slices, and jobs that select and tolerate them. */
final class RandomSelectors {
  private static final String POOL = "pool";
  private static final List<String> POOLS = List.of("a", "b", "c");
  private static final Taint RED = new Taint("team", "red", Taint.Effect.NO_SCHEDULE);

  private RandomSelectors() {}

  /** A flavor that names these labels. */
  static Input flavor(String name, Labels labels) {
    return new Input.SetObject(
        new ResourceFlavor(ObjectMeta.named(name), labels, List.of(), List.of()), 1);
  }

  /**
   * Most hosts of a slice have one label in common; now and then one differs, or has a taint.
   * Nothing is drawn if that is not wanted.
   */
  static void mark(FleetBuilder fleet, SplittableRandom random, boolean wanted) {
    List<Slice> slices = wanted ? fleet.build().slices() : List.of();
    for (Slice slice : slices) {
      String common = POOLS.get(random.nextInt(POOLS.size()));
      for (String host : slice.hosts()) {
        boolean differs = random.nextInt(100) < 5;
        String pool = differs ? POOLS.get(random.nextInt(POOLS.size())) : common;
        fleet.labels(host, Labels.of(Map.of(POOL, pool)));
        if (random.nextInt(100) < 2) {
          fleet.taint(host, RED);
        }
      }
    }
  }

  static void select(WorkloadBuilder job, SplittableRandom random, boolean wanted) {
    if (!wanted) {
      return;
    }
    String pool = POOLS.get(random.nextInt(POOLS.size()));
    switch (random.nextInt(4)) {
      case 0 -> job.selecting(Labels.of(Map.of(POOL, pool)), List.of());
      case 1 -> job.onNodes(POOL, List.of(pool, "a"));
      default -> {
        // Any host will do.
      }
    }
    if (random.nextInt(100) < 40) {
      job.selecting(
          Labels.NONE, List.of(new Toleration("team", Toleration.Operator.EXISTS, "", null)));
    }
  }
}
