// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.Journal;
import io.sluice.admission.invariant.Invariants;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.simulator.fault.FaultKind;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The state as of the last durable batch, made by events alone. Every promise is checked here as
 * each batch arrives.
 */
final class CommittedState {
  private final AdmissionState state = AdmissionState.restore(StateSnapshot.empty());
  private final FleetBooks books;
  private final Supplier<Instant> latestTime;
  private final InputCheck inputs = new InputCheck();
  private final TimeCheck time = new TimeCheck();
  private final PreemptionCheck preemption = new PreemptionCheck();
  private final HoldCheck holds = new HoldCheck();
  private final Recomputation recomputation = new Recomputation();
  private final TreeMap<String, Long> inputKinds = new TreeMap<>();
  private final TreeMap<String, Long> eventKinds = new TreeMap<>();

  /**
   * The state before the first batch.
   *
   * @param latestTime that the clock has shown so far
   */
  CommittedState(FleetBooks books, Supplier<Instant> latestTime) {
    this.books = books;
    this.latestTime = latestTime;
  }

  /** To be left as it is. */
  AdmissionState state() {
    return state;
  }

  /**
   * Takes in a batch that has become durable.
   *
   * @param store that it was written to
   * @throws BrokenPromiseException if a promise is not kept
   */
  void take(Written written, MemoryStore store) {
    Journal.Batch batch = written.batch();
    count(written);
    time.check(batch.now(), latestTime.get());
    batch.events().forEach(event -> apply(event, batch.now()));
    state.noteRound(batch.now());
    state.advance(batch.now());
    state.collectChanges();
    List<String> violations = Invariants.violations(state);
    if (!violations.isEmpty()) {
      throw new BrokenPromiseException(Promise.ENGINE, String.join("; ", violations));
    }
    requireEqual("the rows written", store.rows().load());
    inputs.check(written, state);
    preemption.check(written.inputs(), batch.events());
    holds.check(written.inputs(), batch.events());
    books.check(state);
    boolean more = recomputation.check(store.batches(), batch.sequence());
    recomputation.mayStore(batch.sequence(), state);
    if (!more) {
      PlannedStartCheck.checkSettled(state);
    }
    ExplanationCheck.check(state, batch.now(), more);
  }

  private void apply(Event event, Instant at) {
    SortedMap<String, Long> before = Invariants.excesses(state);
    PlannedStartCheck.check(state, event);
    try {
      state.apply(event, at);
    } catch (IllegalStateException contradiction) {
      throw new BrokenPromiseException(
          Promise.ENGINE, event + ": " + contradiction.getMessage(), contradiction);
    }
    QuotaCheck.check(before, event, Invariants.excesses(state));
  }

  /**
   * Compares a memory with this one.
   *
   * @param what it is
   * @throws BrokenPromiseException if they differ
   */
  void requireEqual(String what, StateSnapshot other) {
    StateSnapshot own = state.snapshot();
    if (!own.equals(other)) {
      throw new BrokenPromiseException(
          Promise.MEMORY, "%s give %s and the events give %s".formatted(what, other, own));
    }
  }

  /** Makes a past decision again. */
  void recompute(MemoryStore store, long sequence) {
    recomputation.check(store.batches(), sequence);
  }

  private void count(Written written) {
    for (Input input : written.inputs()) {
      inputKinds.merge(input.getClass().getSimpleName(), 1L, Long::sum);
    }
    for (Event event : written.batch().events()) {
      eventKinds.merge(event.getClass().getSimpleName(), 1L, Long::sum);
    }
  }

  /** What happened so far. */
  SimulationResult.Counts counts(long batches, SortedMap<FaultKind, Long> faults) {
    return new SimulationResult.Counts(batches, inputKinds, eventKinds, faults, preemption.count());
  }
}
