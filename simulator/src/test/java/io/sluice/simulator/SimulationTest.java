// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final String FACTOR = "sluice.seeds.factor";

  @Test
  void promisesHoldWhateverGoesWrong() {
    long begin = System.nanoTime();
    SimulationSetup setup = RandomOutside.setup();
    java.util.Map<String, Integer> broken = new java.util.TreeMap<>();
    for (long seed = 1; seed <= 60L * Integer.getInteger(FACTOR, 1); seed++) {
      SimulationResult r = Simulation.run(setup.withProcessesOutliveServer(seed % 2 == 0), seed);
      if (r.violation() != null) {
        if (broken.merge(r.violation().promise().name(), 1, Integer::sum) < 3) {
          String m = r.violation().message();
          System.out.println(m.substring(0, Math.min(15000, m.length())));
        }
      } else if (seed < 5) {
        System.out.println(r.counts() + " " + r.timeline().size());
      }
    }
    System.out.println(broken + " " + (System.nanoTime() - begin) / 1_000_000 + " ms");
  }
}
