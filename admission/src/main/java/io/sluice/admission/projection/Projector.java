// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.projection;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.Timer;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.RungEvent;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the engine on a copy of a state in virtual time.
 *
 * <p>Attempts start at once, make progress in time, and end as {@link AttemptEnds} says. Other
 * deadlines, backoffs and leases pass as they do live, because the engine itself watches them. No
 * job arrives, no host fails, and no provider grants capacity.
 *
 * <p>Its cost is that of the rounds: one or more for each time at which attempts end or a timer is
 * due.
 */
public final class Projector {
  /** Approximate maximum number of events of a round, so that bounds are checked often. */
  private static final int ROUND_EVENTS_MAX = 1_000;

  /** Number of rounds at a time that only repeat a due timer, before the projection gives up. */
  private static final int REPEATS_MAX = 10;

  private final AdmissionState state;
  private final AdmissionEngine engine;
  private final ProjectionBounds bounds;
  private final Instant begun;
  private final Instant horizon;
  private final AttemptEnds ends;
  private final ProjectionRecord record;
  private final List<AttemptKey> starting = new ArrayList<>();
  private Instant now;
  private int rounds;
  private long events;
  private int repeats;

  private Projector(AdmissionState state, Instant begun, ProjectionBounds bounds) {
    this.state = state;
    this.engine = new AdmissionEngine(state);
    this.bounds = bounds;
    this.begun = begun;
    this.now = begun;
    this.horizon = begun.plus(bounds.horizon());
    this.ends = new AttemptEnds(state, begun);
    this.record = new ProjectionRecord(state, begun);
    for (Attempt attempt : state.attempts()) {
      if (attempt.startedAt() == null || !attempt.settled()) {
        starting.add(attempt.key());
      }
    }
  }

  /**
   * Projects a state.
   *
   * @param policy policy under which the state decides
   * @param time virtual time at the beginning; that of the last round if it is earlier
   * @param changes inputs of the first round, which must not refer to unknown objects
   */
  public static Projection project(
      StateSnapshot snapshot,
      EnginePolicy policy,
      Instant time,
      List<Input> changes,
      ProjectionBounds bounds) {
    Instant last = snapshot.lastRoundAt();
    Instant begun = last != null && last.isAfter(time) ? last : time;
    AdmissionState state = AdmissionState.restore(UnwatchedProgress.of(snapshot), policy);
    return new Projector(state, begun, bounds)
        .run(changes.stream().map(UnwatchedProgress::of).toList());
  }

  private Projection run(List<Input> changes) {
    List<Input> inputs = new ArrayList<>(changes);
    inputs.addAll(reports());
    boolean more = true;
    while (more || !inputs.isEmpty()) {
      if (!mayGoOn()) {
        return new Projection(begun, now, true, record.jobs());
      }
      more = decide(inputs);
      inputs = reports();
      if (!more && inputs.isEmpty()) {
        Instant next = next();
        if (next == null) {
          return new Projection(begun, horizon, false, record.jobs());
        }
        repeats = next.isAfter(now) ? 0 : repeats + 1;
        now = next.isAfter(now) ? next : now;
        inputs = ends.due(now);
        more = true;
      }
    }
    throw new IllegalStateException("a projection ends by its horizon or a bound");
  }

  private boolean mayGoOn() {
    return rounds < bounds.roundsMax()
        && events < bounds.eventsMax()
        && repeats < REPEATS_MAX
        && bounds.goOn().getAsBoolean();
  }

  /** Returns the next time at which something happens; null if it is after the horizon. */
  private @Nullable Instant next() {
    Instant next = Timer.earlier(state.nextTimerAt(), ends.next());
    return next == null || next.isAfter(horizon) ? null : next;
  }

  private boolean decide(List<Input> inputs) {
    AdmissionEngine.Round round = engine.decide(inputs, now, ROUND_EVENTS_MAX);
    state.collectChanges();
    rounds++;
    events += round.events().size();
    round.events().forEach(this::note);
    return round.more();
  }

  private void note(Event event) {
    if (event instanceof Event.OfAttempt ofAttempt) {
      noteAttempt(ofAttempt);
    } else if (event instanceof Event.Admitted admitted) {
      JobEntry job = state.findJob(admitted.attempt().job());
      if (job != null) {
        record.admitted(job, now);
      }
      starting.add(admitted.attempt());
    } else if (event instanceof RungEvent.RungOpened opened) {
      JobId id = opened.rung().job();
      JobEntry job = state.findJob(id);
      if (job != null) {
        record.sought(job, now);
      }
    }
  }

  private void noteAttempt(Event.OfAttempt event) {
    Attempt attempt = state.findAttempt(event.attempt());
    if (attempt == null) {
      return;
    }
    if (event instanceof Event.AttemptStarted) {
      ends.expect(attempt);
    } else if (event instanceof Event.AttemptResized) {
      starting.add(attempt.key());
    } else if (event instanceof Event.AttemptDraining draining) {
      ends.expect(attempt);
      record.evicted(attempt, draining.drain(), now);
    }
  }

  /** Returns the reports of the attempts that start now. */
  private List<Input> reports() {
    List<Input> reports = new ArrayList<>();
    for (AttemptKey key : starting) {
      Attempt attempt = state.findAttempt(key);
      if (attempt != null && !attempt.draining()) {
        reports.add(AttemptEnds.report(attempt, AttemptReport.Kind.STARTED));
      }
    }
    starting.clear();
    return reports;
  }
}
