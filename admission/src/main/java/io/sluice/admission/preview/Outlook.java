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
 * A copy of a state that the engine runs until nothing more is decided. Draining attempts are
 * reported gone at once; there are no other reports, and time does not advance.
 */
final class Outlook {
  /** Maximum number of rounds: more than any observed chain of evictions needs. */
  private static final int ROUNDS_MAX = 200;

  /** Approximate maximum number of events of a round, so that time limits are checked often. */
  private static final int EVENTS_MAX = 1_000;

  private final AdmissionState state;
  private final AdmissionEngine engine;
  private final Instant now;
  private final BooleanSupplier goOn;
  private final SortedMap<AttemptKey, Drain> told = new TreeMap<>();
  private boolean complete;

  /**
   * Creates an outlook, whose {@link #lead} changes the state.
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
   * Runs a state, which is changed.
   *
   * @param inputs inputs of the first round
   * @param goOn asked before each round
   */
  static Outlook of(AdmissionState state, List<Input> inputs, Instant now, BooleanSupplier goOn) {
    Outlook outlook = new Outlook(state, now, goOn);
    outlook.lead(inputs);
    return outlook;
  }

  /** Runs rounds until nothing more is decided; the first one consumes the inputs. */
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

  /** Reports that draining attempts are gone, and that new generations have started. */
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

  /** Returns whether nothing more can be decided. */
  boolean complete() {
    return complete;
  }

  /** Returns the attempts that were told to end on the way, with the reason. */
  SortedMap<AttemptKey, Drain> told() {
    return told;
  }

  /** Returns the number of admitted indices of a job. */
  static int admitted(JobEntry job) {
    int admitted = 0;
    for (Attempt attempt : job.live()) {
      admitted += attempt.draining() ? 0 : 1;
    }
    return admitted;
  }
}
