// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.cycle.EveryHeadChoice;
import io.sluice.admission.cycle.HeadChoice;
import io.sluice.admission.cycle.HeadChoices;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.scenario.World;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.testing.Seeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A cycle that leaves out queues decides as one that looks at all of them. */
class BestFirstPropertyTest {
  private static final int ROUNDS = 25;

  private int foundBestFirst;
  private int foundInAll;

  private void sideBySide(SplittableRandom random) {
    QuotaWorld world = QuotaWorld.lending(random);
    List<AdmissionState> states = new ArrayList<>();
    List<AdmissionEngine> engines = new ArrayList<>();
    for (HeadChoice choice :
        List.of(
            HeadChoices.bestFirst(found -> foundBestFirst += found),
            HeadChoices.lookingAtAll(found -> foundInAll += found),
            new EveryHeadChoice())) {
      states.add(AdmissionState.restore(StateSnapshot.empty(), EnginePolicy.DEFAULT));
      engines.add(new AdmissionEngine(states.get(states.size() - 1), choice));
    }
    Instant now = Instant.EPOCH.plusSeconds(10_000);
    List<Input> inputs = world.setUp();
    for (int round = 0; round < ROUNDS; round++) {
      List<List<Event>> decided = new ArrayList<>();
      for (AdmissionEngine engine : engines) {
        decided.add(World.whole(engine, inputs, now));
      }
      assertThat(decided.get(0)).as("round %d", round).isEqualTo(decided.get(1));
      assertThat(decided.get(0)).as("round %d, without marks", round).isEqualTo(decided.get(2));
      now = now.plusMillis(700);
      inputs = world.next(states.get(0), now);
    }
    StateSnapshot snapshot = states.get(0).snapshot();
    assertThat(states).allMatch(state -> state.snapshot().equals(snapshot));
    AdmissionState restored = AdmissionState.restore(snapshot, EnginePolicy.DEFAULT);
    assertThat(World.whole(new AdmissionEngine(restored), List.of(), now)).isEmpty();
  }

  @Test
  void leavingOutQueuesDecidesNothing() {
    Seeds.check(40, this::sideBySide);
    // Else nothing was left out.
    assertThat(foundBestFirst).isLessThan(foundInAll / 100 * 95);
  }
}
