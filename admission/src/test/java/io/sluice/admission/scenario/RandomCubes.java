// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.queuemodel.job.SliceRange;
import io.sluice.testing.FleetBuilder;
import io.sluice.testing.WorkloadBuilder;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Cubes in blocks and out of them, and jobs with slices that are cut from them or joined. */
final class RandomCubes {
  private static final List<String> TOPOLOGIES =
      List.of("2x2x1", "2x2x2", "2x2x4", "2x4x4", "2x4x4", "4x4x4", "4x4x8");

  private RandomCubes() {}

  /** The same cubes each time; in one a host may be missing. */
  static void fleet(FleetBuilder fleet, SplittableRandom random, boolean whole) {
    fleet.cubes(3, "a", "a", true).cubes(1, "ax", "a", false).cubes(2, "b", "b", true);
    fleet.cubes(1, "c", null, true);
    if (!whole && random.nextInt(100) < 60) {
      fleet.missing("a" + random.nextInt(3) + "-" + random.nextInt(16));
    }
  }

  static void ask(WorkloadBuilder job, SplittableRandom random) {
    int min = 1 + random.nextInt(2);
    job.slices(range(random, min), "tpu7x", TOPOLOGIES.get(random.nextInt(TOPOLOGIES.size())));
  }

  /** At least so many slices; of some jobs more. */
  static SliceRange range(SplittableRandom random, int min) {
    int max = min + (random.nextInt(100) < 40 ? 1 + random.nextInt(3) : 0);
    return new SliceRange(min, max, Duration.ofSeconds(random.nextInt(40)));
  }
}
