// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.state.Prospects;
import io.sluice.admission.state.usage.Prospect;
import java.util.SplittableRandom;

/** Ways to find the heads of a cycle that must decide as the engine's own does. */
public final class HeadChoices {
  /** Finds flavors for all heads that have a prospect, and foresees nothing. */
  public static final HeadChoice NOMINATING =
      (decisions, nomination) ->
          new CycleHeads(decisions, nomination).nominating(decisions.state().prospects()::of);

  /** Asks no bound: tries all heads of all queues, and parks those that it tried in vain. */
  public static final HeadChoice TRYING_EVERYBODY =
      (decisions, nomination) -> new CycleHeads(decisions, nomination).tryingEverybody();

  private HeadChoices() {}

  /** Bounds the heads of a queue as tightly as can be, or not at all, as chance has it. */
  public static HeadChoice bounding(SplittableRandom random) {
    return (decisions, nomination) -> {
      Prospects prospects = decisions.state().prospects();
      return new CycleHeads(decisions, nomination)
          .nominating(queue -> random.nextBoolean() ? prospects.of(queue) : Prospect.EVERYTHING);
    };
  }
}
