// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.state.Prospect;
import io.sluice.admission.state.Prospects;
import java.util.SplittableRandom;

/** Ways to find the heads of a cycle that must decide as the engine's own does. */
final class HeadChoices {
  /** As the engine does. */
  static final HeadChoice FORESEEING =
      (decisions, nomination) -> new CycleHeads(decisions, nomination).foreseeing();

  /** Finds flavors for all heads that have a prospect, and foresees nothing. */
  static final HeadChoice NOMINATING =
      (decisions, nomination) -> new CycleHeads(decisions, nomination).nominating();

  /** Asks no bound: tries all heads of all queues, and parks those that it tried in vain. */
  static final HeadChoice TRYING_EVERYBODY =
      (decisions, nomination) -> new CycleHeads(decisions, nomination).tryingEverybody();

  private HeadChoices() {}

  /** Bounds the heads of a queue as tightly as can be, or not at all, as chance has it. */
  static HeadChoice bounding(SplittableRandom random) {
    return (decisions, nomination) -> {
      Prospects prospects = decisions.state().prospects();
      return new CycleHeads(decisions, nomination)
          .nominating(queue -> random.nextBoolean() ? prospects.of(queue) : Prospect.EVERYTHING);
    };
  }
}
