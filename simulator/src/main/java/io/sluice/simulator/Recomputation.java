// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.AdmissionRound;
import io.sluice.admission.Journal;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Checks P7: recomputes past decisions from a stored snapshot and the journal. */
final class Recomputation {
  /** A snapshot is stored each so many batches. */
  private static final int SNAPSHOT_EVERY = 16;

  private final TreeMap<Long, StateSnapshot> snapshots = new TreeMap<>();

  Recomputation() {
    snapshots.put(0L, StateSnapshot.empty());
  }

  /** Stores the state after a batch, if it is time for that. */
  void mayStore(long sequence, AdmissionState after) {
    if (sequence % SNAPSHOT_EVERY == 0) {
      snapshots.put(sequence, after.snapshot());
    }
  }

  /**
   * Makes the decision of a batch again.
   *
   * @param batches all that are durable, that of sequence n at n - 1
   * @return whether the round left something to decide
   * @throws BrokenPromiseException if it comes out otherwise
   */
  boolean check(List<Written> batches, long sequence) {
    Map.Entry<Long, StateSnapshot> nearest = snapshots.floorEntry(sequence - 1);
    AdmissionState state = AdmissionState.restore(nearest.getValue());
    for (long past = nearest.getKey() + 1; past < sequence; past++) {
      Journal.Batch batch = batches.get((int) past - 1).batch();
      batch.events().forEach(event -> state.apply(event, batch.now()));
      state.noteRound(batch.now());
    }
    Written written = batches.get((int) sequence - 1);
    AdmissionEngine.Round again =
        new AdmissionEngine(state)
            .decide(written.inputs(), written.batch().now(), AdmissionRound.DECISIONS_MAX);
    if (!again.events().equals(written.batch().events())) {
      throw new BrokenPromiseException(
          Promise.RECOMPUTATION,
          "batch %d was %s and comes out as %s"
              .formatted(sequence, written.batch().events(), again.events()));
    }
    return again.more();
  }
}
