// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.Journal;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The engine's memory as of the last durable batch. The leader's own memory runs ahead of what is
 * durable, so nothing that is told to anybody comes from there.
 */
public final class CommittedView {
  private final ReentrantLock lock = new ReentrantLock();
  private AdmissionState state;
  private long sequence;

  /** Begins with nothing. */
  public CommittedView() {
    this.state = AdmissionState.restore(StateSnapshot.empty());
  }

  /** Begins anew from what was read back. */
  void reset(StateSnapshot snapshot, long lastSequence) {
    AdmissionState restored = AdmissionState.restore(snapshot);
    lock.lock();
    try {
      state = restored;
      sequence = lastSequence;
    } finally {
      lock.unlock();
    }
  }

  /** Takes in a batch that has become durable. */
  void apply(Journal.Batch batch) {
    lock.lock();
    try {
      batch.events().forEach(event -> state.apply(event, batch.now()));
      state.noteRound(batch.now());
      // Indices whose backoff is over are pending again, as they are to the round.
      state.advance(batch.now());
      state.collectChanges();
      sequence = batch.sequence();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Asks the state something. Commits wait meanwhile, so questions are small; the state must be
   * left as it was.
   */
  public <R> Answer<R> ask(Function<AdmissionState, R> question) {
    lock.lock();
    try {
      return new Answer<>(question.apply(state), sequence);
    } finally {
      lock.unlock();
    }
  }

  /**
   * What the state says.
   *
   * @param sequence of the last batch that it includes
   */
  public record Answer<R>(R value, long sequence) {}
}
