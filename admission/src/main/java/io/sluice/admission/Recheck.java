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
 * Decides past rounds again, on a state of its own: from a snapshot, over what was recorded, to the
 * round in question. Rounds of which nothing was recorded need not be known: they changed nothing.
 *
 * <p>Not safe for use by several threads.
 */
public final class Recheck {
  private final AdmissionState state;
  private final AdmissionEngine engine;
  private final int eventsMax;

  /**
   * Begins with what a snapshot describes.
   *
   * @param policy by which the rounds were decided
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
   * Takes in the next recorded round as it was.
   *
   * @throws IllegalStateException if its events contradict the state
   */
  public void replay(Instant now, List<Event> events) {
    events.forEach(event -> state.apply(event, now));
    state.noteRound(now);
    state.advance(now);
    state.collectChanges();
  }

  /**
   * Decides the next recorded round again; the state is as after it then.
   *
   * @param inputs all that it consumed, in their order
   * @return what it should have recorded
   */
  public List<Event> decide(Instant now, List<Input> inputs) {
    List<Event> events = engine.decide(inputs, now, eventsMax).events();
    state.noteRound(now);
    state.collectChanges();
    return events;
  }

  /** What is remembered after the last round that was taken in or decided. */
  public StateSnapshot snapshot() {
    return state.snapshot();
  }
}
