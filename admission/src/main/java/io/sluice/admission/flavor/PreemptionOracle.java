// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.admission.state.fact.JobEntry;

/** Tells what evicting others could do, without evicting anybody. */
public interface PreemptionOracle {
  /** Nobody is to be evicted. */
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
   * Asks about one (flavor, resource) and the slices that go with it.
   *
   * @param consentingOnly whether only those are looked at that consent to be evicted
   */
  Answer ask(JobEntry job, RoomNeed need, boolean consentingOnly);

  /** Whether evicting others, or waiting for those who drain, would make all of the room. */
  boolean couldMake(JobEntry job, RoomNeed need);

  /**
   * What the oracle says.
   *
   * @param borrowingLevel how far up quota would still be sought once the victims were gone
   */
  record Answer(Possibility possibility, int borrowingLevel) {}
}
