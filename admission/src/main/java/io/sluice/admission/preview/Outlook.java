// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AttemptKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * A copy of a state, led on by the engine until nothing more is decided. What is told to end is
 * reported gone at once; no other report comes, and time stands.
 */
final class Outlook {
  /** So many rounds are enough for chains of evictions that are longer than any seen. */
  private static final int ROUNDS_MAX = 200;

  /** A round stops after about so many events, so that a bound in time is looked at often. */
  private static final int EVENTS_MAX = 1_000;

  private final AdmissionState state;
  private final AdmissionEngine engine;
  private final Instant now;
  private final BooleanSupplier goOn;
  private final SortedMap<AttemptKey, Drain> told = new TreeMap<>();
  private boolean complete;

  /**
   * An outlook on a state, which {@link #lead} changes.
   *
   * @param goOn asked before each round
   */
  Outlook(AdmissionState state, Instant now, BooleanSupplier goOn) {
    this.state = state;
    this.engine = new AdmissionEngine(state);
    this.now = now;
    this.goOn = goOn;
  }

  /**
   * What comes of a state, which is changed.
   *
   * @param inputs consumed in the first round
   * @param goOn asked before each round
   */
  static Outlook of(AdmissionState state, List<Input> inputs, Instant now, BooleanSupplier goOn) {
    Outlook outlook = new Outlook(state, now, goOn);
    outlook.lead(inputs);
    return outlook;
  }

  /** Goes on until nothing more is decided; the first round consumes the inputs. */
  void lead(List<Input> inputs) {
    List<Input> next = inputs;
    complete = false;
    for (int round = 0; round < ROUNDS_MAX && !complete && goOn.getAsBoolean(); round++) {
      AdmissionEngine.Round decided = engine.decide(next, now, EVENTS_MAX);
      decided.events().forEach(this::note);
      state.collectChanges();
      next = decided.more() ? List.of() : gone();
      complete = !decided.more() && next.isEmpty();
    }
  }

  private void note(Event event) {
    if (event instanceof Event.AttemptDraining draining) {
      told.put(draining.attempt(), draining.drain());
    }
  }

  /** Says of what was told to end, an attempt or a generation of one, that nothing is left. */
  private List<Input> gone() {
    List<Input> reports = new ArrayList<>();
    for (Attempt attempt : state.attempts()) {
      if (attempt.draining()) {
        reports.add(report(attempt, AttemptReport.Kind.DRAINED));
      } else if (!attempt.settled()) {
        reports.add(report(attempt, AttemptReport.Kind.STARTED));
      }
    }
    return reports;
  }

  private static Input report(Attempt attempt, AttemptReport.Kind kind) {
    return new Input.Report(new AttemptReport(attempt.key(), attempt.generation(), kind, null, ""));
  }

  AdmissionState state() {
    return state;
  }

  /** Whether nothing more can be decided. */
  boolean complete() {
    return complete;
  }

  /** What was told to end on the way, and why. */
  SortedMap<AttemptKey, Drain> told() {
    return told;
  }

  /** How many indices of a job are admitted. */
  static int admitted(JobEntry job) {
    int admitted = 0;
    for (Attempt attempt : job.live()) {
      admitted += attempt.draining() ? 0 : 1;
    }
    return admitted;
  }
}
