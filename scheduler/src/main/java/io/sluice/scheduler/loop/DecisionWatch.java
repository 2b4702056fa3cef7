// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.Journal;
import io.sluice.admission.state.AdmissionState;
import io.sluice.scheduler.store.input.SetAsideCounts;
import java.time.Duration;

/**
 * Told what a leader decides, by the threads that do it: whoever is told counts and returns, and
 * throws nothing.
 */
public interface DecisionWatch {
  /** Nobody watches. */
  DecisionWatch NONE =
      new DecisionWatch() {
        private final SetAsideCounts setAside = new SetAsideCounts();

        @Override
        public SetAsideCounts setAside() {
          return setAside;
        }

        @Override
        public void stepped(Duration took, int inFlight) {}

        @Override
        public void committed(Journal.Batch batch, AdmissionState state) {}
      };

  /** Counts what could not be processed. */
  SetAsideCounts setAside();

  /**
   * A step of the round is over.
   *
   * @param inFlight how many batches are on their way to the database
   */
  void stepped(Duration took, int inFlight);

  /**
   * This server has made a batch durable. What a server that follows reads is not told of.
   *
   * @param state includes the batch; not to be kept, nor changed
   */
  void committed(Journal.Batch batch, AdmissionState state);
}
