// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.scenario.World;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Lets random worlds live for some rounds, and what can be checked after each of them. */
final class LivedRounds {
  static final int EVENTS_MAX = 100_000;
  private static final int ROUNDS = 40;

  private LivedRounds() {}

  /** Looks at one round. */
  interface RoundCheck {
    void check(
        StateSnapshot before,
        List<Input> inputs,
        Instant now,
        List<Event> events,
        AdmissionState after);
  }

  /** Lets a world live; every round checks P1, P2 and P4 by counting from scratch. */
  static void live(RandomWorld inputs, EnginePolicy policy, RoundCheck check) {
    live(inputs, state -> List.of(), policy, check);
  }

  /**
   * The same with further inputs.
   *
   * @param more what comes before a round beside the inputs of the world
   */
  static void live(
      RandomWorld inputs,
      Function<AdmissionState, List<Input>> more,
      EnginePolicy policy,
      RoundCheck check) {
    World world = new World(policy);
    inputs.setUp().forEach(world::input);
    for (int round = 0; round < ROUNDS; round++) {
      StateSnapshot before = world.state().snapshot();
      List<Input> coming =
          new ArrayList<>(round == 0 ? inputs.setUp() : inputs.next(world.state()));
      coming.addAll(round == 0 ? List.of() : more.apply(world.state()));
      coming.forEach(world::input);
      world.clock().advance(inputs.pause());
      List<Event> events = world.round();
      check.check(before, coming, world.clock().now(), events, world.state());
    }
  }

  /** All indexes are made anew in a restored state; its decisions are the same to the last. */
  static void checkDecidesTheSame(
      StateSnapshot before,
      List<Input> inputs,
      Instant now,
      List<Event> events,
      AdmissionState after) {
    if (before.lastRoundAt() != null) {
      AdmissionState restored = AdmissionState.restore(before, after.policy());
      assertThat(decide(restored, inputs, now)).isEqualTo(events);
      assertThat(restored.snapshot()).isEqualTo(after.snapshot());
    }
  }

  /** A state in which nothing is parked finds nothing more to decide. */
  static void checkNothingIsLeft(
      StateSnapshot before,
      List<Input> inputs,
      Instant now,
      List<Event> events,
      AdmissionState after) {
    AdmissionState restored = AdmissionState.restore(after.snapshot(), after.policy());
    assertThat(decide(restored, List.of(), now)).isEmpty();
  }

  private static List<Event> decide(AdmissionState state, List<Input> inputs, Instant now) {
    return World.whole(new AdmissionEngine(state), inputs, now);
  }
}
