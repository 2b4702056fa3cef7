// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.state.Prospects;
import io.sluice.admission.state.QueueTries;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.Prospect;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntConsumer;

/** Ways to find the heads of a cycle that must decide as the engine's own does. */
public final class HeadChoices {
  /** Finds flavors for all heads that have a prospect, and foresees nothing. */
  public static final HeadChoice NOMINATING =
      (decisions, nomination) ->
          nominating(decisions, nomination, decisions.state().prospects()::of);

  /** Asks no bound: tries all heads of all queues, and parks those that it tried in vain. */
  public static final HeadChoice TRYING_EVERYBODY =
      (decisions, nomination) -> {
        CycleHeads heads = new CycleHeads(decisions, nomination);
        for (QueueState queue : decisions.state().queues()) {
          heads.takeNominated(queue, any -> Prospect.EVERYTHING);
        }
        return heads.entrants();
      };

  private HeadChoices() {}

  /**
   * Searches all trees best first where that is possible, however small they are.
   *
   * @param found is told how many heads were found in each cycle
   */
  public static HeadChoice bestFirst(IntConsumer found) {
    return foreseeing(1, found);
  }

  /**
   * Looks at all queues.
   *
   * @param found is told how many heads were found in each cycle
   */
  public static HeadChoice lookingAtAll(IntConsumer found) {
    return foreseeing(Integer.MAX_VALUE, found);
  }

  private static HeadChoice foreseeing(int large, IntConsumer found) {
    return (decisions, nomination) -> {
      Entrants entrants = new CycleHeads(decisions, nomination, large).foreseeing();
      found.accept(entrants.size());
      return entrants;
    };
  }

  /** Bounds the heads of a queue as tightly as can be, or not at all, as chance has it. */
  public static HeadChoice bounding(SplittableRandom random) {
    return (decisions, nomination) -> {
      Prospects prospects = decisions.state().prospects();
      return nominating(
          decisions,
          nomination,
          queue -> random.nextBoolean() ? prospects.of(queue) : Prospect.EVERYTHING);
    };
  }

  /** Finds flavors for all that a bound of a queue leaves, as the state is then. */
  private static Entrants nominating(
      Decisions decisions, Nomination nomination, Function<QueueState, Prospect> bound) {
    QueueTries tries = decisions.state().tries();
    CycleHeads heads = new CycleHeads(decisions, nomination);
    BitSet nodes = tries.nodes();
    for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
      heads.takeNominated(tries.queue(node), bound);
    }
    return heads.entrants();
  }
}
