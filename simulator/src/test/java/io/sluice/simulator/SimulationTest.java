// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The real round, with everything going wrong now and then. */
class SimulationTest {
  private static final String FACTOR = "sluice.seeds.factor";
  private static final int SEEDS = 100;

  /** Runs the seeds from 1 on; what happened in all of them together. */
  private static SortedMap<String, Long> keep(SimulationSetup setup) {
    SortedMap<String, Long> total = new TreeMap<>();
    long last = (long) SEEDS * Integer.getInteger(FACTOR, 1);
    for (long seed = 1; seed <= last; seed++) {
      SimulationResult.Counts counts = Simulation.run(setup, seed).requireKept().counts();
      total.merge("runs", 1L, Long::sum);
      total.merge("batches", counts.batches(), Long::sum);
      total.merge("preemptions", counts.preemptions(), Long::sum);
      counts.inputs().forEach((kind, count) -> total.merge(kind, count, Long::sum));
      counts.events().forEach((kind, count) -> total.merge(kind, count, Long::sum));
      counts.faults().forEach((kind, count) -> total.merge(kind.name(), count, Long::sum));
    }
    System.out.println(total);
    return total;
  }

  @Test
  void promisesHoldWhereProcessesOutliveTheirServer() {
    SortedMap<String, Long> total = keep(RandomOutside.setup());
    assertThat(total)
        .containsKeys("SubmitJob", "CancelJob", "SetObject", "SetFleet", "Report")
        .containsKeys("Claimed", "IndexRequeued", "JobFinished");
    assertThat(total.get("preemptions")).isPositive();
  }

  @Test
  void promisesHoldWhereProcessesDieWithTheirServer() {
    SortedMap<String, Long> total = keep(RandomOutside.setup().withProcessesOutliveServer(false));
    assertThat(total).containsKeys("CRASH_DURING_DISPATCH", "CRASH_AFTER_COMMIT");
  }

  @Test
  void withoutFaultsNoneIsCounted() {
    SimulationSetup setup = RandomOutside.setup().withFaults(FaultRates.NONE);
    assertThat(Simulation.run(setup, 1).requireKept().counts().faults()).isEmpty();
  }
}
