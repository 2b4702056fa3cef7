// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.cycle.HeadChoice;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.scenario.World;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Engines that live on side by side in a world of many queues, and record the same events. */
final class SideBySide {
  private static final int ROUNDS = 25;

  private SideBySide() {}

  /** Has engines that find their heads in these ways live, and checks that they decide alike. */
  static void live(QuotaWorld world, EnginePolicy policy, List<HeadChoice> choices) {
    List<AdmissionState> states = new ArrayList<>();
    List<AdmissionEngine> engines = new ArrayList<>();
    for (HeadChoice choice : choices) {
      states.add(AdmissionState.restore(StateSnapshot.empty(), policy));
      engines.add(new AdmissionEngine(states.get(states.size() - 1), choice));
    }
    Instant now = Instant.EPOCH.plusSeconds(10_000);
    List<Input> inputs = world.setUp();
    for (int round = 0; round < ROUNDS; round++) {
      List<List<Event>> decided = new ArrayList<>();
      for (AdmissionEngine engine : engines) {
        decided.add(World.whole(engine, inputs, now));
      }
      for (int at = 1; at < decided.size(); at++) {
        assertThat(decided.get(at)).as("round %d, engine %d", round, at).isEqualTo(decided.get(0));
      }
      now = now.plusMillis(700);
      inputs = world.next(states.get(0), now);
    }
    StateSnapshot snapshot = states.get(0).snapshot();
    assertThat(states).allMatch(state -> state.snapshot().equals(snapshot));
    AdmissionState restored = AdmissionState.restore(snapshot, policy);
    assertThat(World.whole(new AdmissionEngine(restored), List.of(), now)).isEmpty();
  }
}
