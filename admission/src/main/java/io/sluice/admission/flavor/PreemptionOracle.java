// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.state.fact.JobEntry;

/** Predicts the result of preemption without evicting anything. */
public interface PreemptionOracle {
  /** An oracle that permits no preemption. */
  PreemptionOracle NOBODY =
      new PreemptionOracle() {
        @Override
        public Answer ask(JobEntry job, RoomNeed need, boolean consentingOnly) {
          return new Answer(Possibility.NO_CANDIDATES, 0);
        }

        @Override
        public boolean couldMake(JobEntry job, RoomNeed need) {
          return false;
        }
      };

  /**
   * Predicts preemption for one (flavor, resource) and the slices that go with it.
   *
   * @param consentingOnly whether only preemptible attempts are candidates
   */
  Answer ask(JobEntry job, RoomNeed need, boolean consentingOnly);

  /** Returns whether preemption, or waiting for draining attempts, would free all of the room. */
  boolean couldMake(JobEntry job, RoomNeed need);

  /**
   * The prediction of the oracle.
   *
   * @param borrowingLevel borrowing level that remains once the victims are gone
   */
  record Answer(Possibility possibility, int borrowingLevel) {}
}
