// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.AdmissionEngine.Round;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Drives the engine over ports: journal, launcher, clock and capacity provider. The live server and
 * the simulator both run this class.
 *
 * <p>Memory is ahead of durable storage by at most {@link #IN_FLIGHT_MAX} batches. Only durable
 * decisions start or end attempts.
 */
public final class AdmissionRound {
  /** Maximum number of batches appended and not yet durable. */
  public static final int IN_FLIGHT_MAX = 2;

  /** Maximum number of inputs that a round consumes. */
  public static final int INPUTS_MAX = 2_000;

  /** Approximate maximum number of events that a round decides, beyond those of its inputs. */
  public static final int DECISIONS_MAX = 5_000;

  private final AdmissionEngine engine;
  private final AdmissionState state;
  private final Journal journal;
  private final Launcher launcher;
  private final RoundClock clock;
  private final CapacityDispatch capacity;
  private long lastSequence;
  private int inFlight;
  private boolean unfinished;

  /**
   * Continues from a state, without a capacity provider.
   *
   * @param lastSequence sequence of the last durable batch, which the state includes
   */
  public AdmissionRound(
      AdmissionState state, long lastSequence, Journal journal, Launcher launcher, RoundTime time) {
    this(state, lastSequence, journal, launcher, time, CapacityProvider.NONE);
  }

  /** Continues from a state, with a capacity provider. */
  public AdmissionRound(
      AdmissionState state,
      long lastSequence,
      Journal journal,
      Launcher launcher,
      RoundTime time,
      CapacityProvider provider) {
    this.capacity = new CapacityDispatch(state, provider);
    this.engine = new AdmissionEngine(state);
    this.state = state;
    this.lastSequence = lastSequence;
    this.journal = journal;
    this.launcher = launcher;
    this.clock = new RoundClock(time, state.lastRoundAt());
    // A previous server may have stopped before it decided everything; no input asks for the rest.
    this.unfinished = true;
  }

  /**
   * Repeats the dispatches that a previous server may have missed. Call it once, before any step.
   */
  public void resume() {
    for (Attempt attempt : state.attempts()) {
      boolean starts = attempt.state() == AttemptState.ADMITTED || !attempt.settled();
      if (starts && !attempt.draining()) {
        launcher.start(attempt.key(), attempt.generation());
      } else if (attempt.draining()) {
        stop(attempt);
      }
    }
    capacity.resume();
  }

  /**
   * Runs one round.
   *
   * <ol>
   *   <li>Dispatch batches that have become durable.
   *   <li>Unless too many batches are in flight: read the clock and the inputs.
   *   <li>Decide.
   *   <li>Append the batch to the journal, if anything was consumed or decided.
   * </ol>
   */
  public Step step() {
    for (Journal.Batch batch : journal.takeCommitted()) {
      inFlight--;
      batch.events().forEach(this::dispatch);
    }
    Instant now = clock.read();
    if (inFlight >= IN_FLIGHT_MAX) {
      // Due timers wait for a commit too; returning their time would make the caller poll.
      return new Step(false, true, null, now, List.of());
    }
    List<Journal.Received> received = journal.read(INPUTS_MAX);
    boolean idle = received.isEmpty() && !unfinished && !timerDue(now);
    if (idle) {
      return new Step(false, inFlight > 0, state.nextTimerAt(), now, List.of());
    }
    List<Input> inputs = received.stream().map(Journal.Received::input).toList();
    Round round = engine.decide(inputs, now, DECISIONS_MAX);
    unfinished = round.more();
    // Even without a batch, the state has advanced to this time and cannot go back.
    clock.advance(now);
    if (!received.isEmpty() || !round.events().isEmpty()) {
      state.noteRound(now);
      lastSequence++;
      inFlight++;
      journal.append(
          new Journal.Batch(
              lastSequence,
              now,
              received.stream().map(Journal.Received::id).toList(),
              round.events(),
              state.collectChanges()));
    }
    boolean again = round.more() || received.size() == INPUTS_MAX;
    return new Step(again, inFlight > 0, state.nextTimerAt(), now, round.undecided());
  }

  /** Returns the number of batches that were appended and not yet returned as durable. */
  public int inFlight() {
    return inFlight;
  }

  private boolean timerDue(Instant now) {
    Instant next = state.nextTimerAt();
    return next != null && !next.isAfter(now);
  }

  private void dispatch(Event event) {
    if (event instanceof Event.Admitted admitted) {
      start(admitted.attempt(), admitted.generation());
    } else if (event instanceof Event.AttemptResized resized) {
      start(resized.attempt(), resized.generation());
    } else if (event instanceof Event.AttemptDraining draining) {
      Attempt attempt = state.findAttempt(draining.attempt());
      if (attempt != null) {
        stop(attempt);
      }
    } else if (event instanceof Event.AttemptEnded ended) {
      launcher.ended(ended.attempt());
    } else {
      capacity.dispatch(event);
    }
  }

  /** Starts the generation, unless memory already drains or resizes the attempt. */
  private void start(AttemptKey key, int generation) {
    Attempt attempt = state.findAttempt(key);
    if (attempt != null && !attempt.draining() && attempt.generation() == generation) {
      launcher.start(key, generation);
    }
  }

  private void stop(Attempt attempt) {
    AttemptKey key = attempt.key();
    launcher.stop(key, attempt.generation(), attempt.gracePeriod());
  }

  /**
   * The outcome of a step.
   *
   * @param again whether the next step has work to do at once
   * @param committing whether batches are in flight
   * @param nextTimerAt time of the next timer; null if there is none, or if it must wait until a
   *     batch in flight is durable
   * @param now time of the step
   * @param undecided as {@link Round#undecided}
   */
  public record Step(
      boolean again,
      boolean committing,
      @Nullable Instant nextTimerAt,
      Instant now,
      List<JobId> undecided) {}
}
