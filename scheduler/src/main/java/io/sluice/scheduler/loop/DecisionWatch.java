// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.Journal;
import io.sluice.admission.state.AdmissionState;
import io.sluice.scheduler.store.input.SetAsideCounts;
import java.time.Duration;

/**
 * Observes the decisions of a leader, for metrics. The threads that decide call it, so each method
 * only counts, returns at once and throws nothing.
 */
public interface DecisionWatch {
  /** Ignores everything. */
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

  /** The counter of inputs and reports that could not be processed. */
  SetAsideCounts setAside();

  /**
   * Called after each step of the round.
   *
   * @param inFlight number of batches that are being committed
   */
  void stepped(Duration took, int inFlight);

  /**
   * Called after this server has made a batch durable; not for batches that a follower reads.
   *
   * @param state includes the batch; must be neither kept nor changed
   */
  void committed(Journal.Batch batch, AdmissionState state);
}
