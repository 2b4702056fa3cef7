// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import java.time.Instant;
import java.util.List;

/**
 * Recomputes past rounds on its own state: starts from a snapshot, replays recorded events, and
 * decides the round in question again. Rounds that recorded nothing changed nothing and may be
 * skipped.
 *
 * <p>Not thread-safe.
 */
public final class Recheck {
  private final AdmissionState state;
  private final AdmissionEngine engine;
  private final int eventsMax;

  /**
   * Starts from a snapshot.
   *
   * @param policy policy under which the rounds were decided
   */
  public Recheck(StateSnapshot snapshot, EnginePolicy policy) {
    this(snapshot, policy, AdmissionRound.DECISIONS_MAX);
  }

  Recheck(StateSnapshot snapshot, EnginePolicy policy, int eventsMax) {
    this.state = AdmissionState.restore(snapshot, policy);
    this.engine = new AdmissionEngine(state);
    this.eventsMax = eventsMax;
  }

  /**
   * Replays the recorded events of the next round.
   *
   * @throws IllegalStateException if the events contradict the state
   */
  public void replay(Instant now, List<Event> events) {
    events.forEach(event -> state.apply(event, now));
    state.noteRound(now);
    state.advance(now);
    state.collectChanges();
  }

  /**
   * Decides the next recorded round again. The state afterwards is the state after that round.
   *
   * @param inputs all consumed inputs, in order
   * @return the events that the round should have recorded
   */
  public List<Event> decide(Instant now, List<Input> inputs) {
    List<Event> events = engine.decide(inputs, now, eventsMax).events();
    state.noteRound(now);
    state.collectChanges();
    return events;
  }

  /** Returns the state after the last round that was replayed or decided. */
  public StateSnapshot snapshot() {
    return state.snapshot();
  }
}
