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
 * The round with its surroundings, over ports: the live server and the simulator drive this one
 * class, so what is simulated is what runs.
 *
 * <p>Memory runs ahead of what is durable by at most {@link #IN_FLIGHT_MAX} batches; what is
 * started and ended is durable always.
 */
public final class AdmissionRound {
  /** How many batches may be on their way at once. */
  public static final int IN_FLIGHT_MAX = 2;

  /** How many inputs a round consumes at most. */
  public static final int INPUTS_MAX = 2_000;

  /** About how many events a round decides at most, beyond those of its inputs. */
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
   * Goes on from a state.
   *
   * @param lastSequence of the last durable batch, which the state includes
   */
  public AdmissionRound(
      AdmissionState state, long lastSequence, Journal journal, Launcher launcher, RoundTime time) {
    this(state, lastSequence, journal, launcher, time, CapacityProvider.NONE);
  }

  /** Goes on from a state, with a provider of what is absent. */
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
    // Decisions may be due that nobody asks for by an input: the server may have stopped before.
    this.unfinished = true;
  }

  /** Asks again for what the last server may not have come to. Call it once, before any step. */
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
   * One round.
   *
   * <ol>
   *   <li>Dispatch what has become durable.
   *   <li>Unless too many batches are on their way: read the clock and the inputs.
   *   <li>Decide.
   *   <li>Hand the batch to the journal, if anything was consumed or decided.
   * </ol>
   */
  public Step step() {
    for (Journal.Batch batch : journal.takeCommitted()) {
      inFlight--;
      batch.events().forEach(this::dispatch);
    }
    Instant now = clock.read();
    if (inFlight >= IN_FLIGHT_MAX) {
      // Even what is due waits for a commit; naming its time would have the caller ask on and on.
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
    // Journaled or not: memory has let time pass until now, and does not take it back.
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

  /** How many batches were handed to the journal and not yet taken back as durable. */
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

  /** Unless memory knows already that it is to end, or to go on as another generation. */
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
   * How a step went.
   *
   * @param again whether the next step has something to do at once
   * @param committing whether batches are on their way
   * @param nextTimerAt when something will be due; null if nothing will, or not before a batch that
   *     is on its way is durable
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
