// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.fault.FaultKind;
import io.sluice.simulator.fault.FaultRates;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultKindTest {
  private static final int SEEDS = 2;
  private static final int OFTEN = 5;

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void eachFaultStrikesWhenItIsTheOnlyOneAndEveryPromiseHolds(FaultKind kind) {
    FaultRates often = FaultRates.NONE.with(kind, OFTEN * kind.usualPerThousand());
    SimulationSetup setup = RandomUsers.setup().withFaults(often);
    long struck = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      SimulationResult.Counts counts = Simulation.run(setup, seed).requireKept().counts();
      assertThat(counts.faults().keySet()).isSubsetOf(kind);
      struck += counts.faults().getOrDefault(kind, 0L);
    }
    assertThat(struck).isPositive();
  }
}
