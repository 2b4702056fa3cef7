// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.decision.Decisions;

/** How a cycle of a round finds the heads that take part in it. */
public interface HeadChoice {
  /** Passes over heads without a prospect, and foresees what the flavors of the others will be. */
  HeadChoice FORESEEING =
      (decisions, nomination) -> new CycleHeads(decisions, nomination).foreseeing();

  /**
   * Finds them in the present state.
   *
   * @return at most one of each queue; none if nothing can come of any that is yet to be tried
   */
  Entrants choose(Decisions decisions, Nomination nomination);
}
