// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.decision.Decisions;

/** Strategy by which a cycle of a round chooses its heads. */
public interface HeadChoice {
  /**
   * Skips heads without a prospect, and predicts the usage of known fits without a flavor search.
   */
  HeadChoice FORESEEING =
      (decisions, nomination) -> new CycleHeads(decisions, nomination).foreseeing();

  /**
   * Chooses heads in the current state.
   *
   * @return at most one head per queue; empty if no untried head is admissible
   */
  Entrants choose(Decisions decisions, Nomination nomination);
}
