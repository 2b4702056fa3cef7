// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Step: a cycle of a round, after Kueue's.
 *
 * <ol>
 *   <li>Take the head of each ClusterQueue that admits.
 *   <li>Find flavors, and victims where they are needed, for all heads against the same state.
 *   <li>Order the heads.
 *   <li>Serve one after another, each seeing what those before it took: admit what fits, evict for
 *       what may evict, and pass over what no longer fits, to be tried in the next cycle.
 * </ol>
 *
 * <p>It deviates from Kueue's. A head of which nothing can come does not use up its queue's place
 * in the cycle: the one behind it is taken at once, so that what a round decides does not depend on
 * whom an earlier round left parked. And an evicted victim's room is claimed for the preemptor, so
 * it is protected until it is free, not within the cycle only.
 */
public final class AdmissionCycle {
  private final Decisions decisions;
  private final HeadChoice choice;
  private final AdmissionState state;
  private final Nomination nomination;
  private final UnaryOperator<RoomKeeping> rooms;

  /**
   * A cycle over the present state.
   *
   * @param choice how the heads are found
   * @param rooms what stands before the room of a round
   */
  public AdmissionCycle(Decisions decisions, HeadChoice choice, UnaryOperator<RoomKeeping> rooms) {
    this.rooms = rooms;
    this.decisions = decisions;
    this.choice = choice;
    this.state = decisions.state();
    this.nomination = new Nomination(state);
  }

  /**
   * Runs a cycle of a round. If nothing is decided although something was expected of every head,
   * then nomination and room contradict each other, and the next cycle would be the same, without
   * end. All these heads are passed over for the rest of the round, and their queues go on with the
   * jobs behind them.
   *
   * @return whether there was any head of which something could come
   */
  public boolean run() {
    if (!state.awaited().isEmpty()) {
      return false;
    }
    Entrants entrants = choice.choose(decisions, nomination);
    if (entrants.size() == 0) {
      return false;
    }
    int before = decisions.size();
    new Serving(state).serve(entrants, rooms.apply(new ClaimedRoom(decisions, nomination)));
    if (decisions.size() == before) {
      passOver(entrants);
    }
    return true;
  }

  private void passOver(Entrants undecided) {
    List<JobEntry> heads = new ArrayList<>();
    for (int number = 0; number < undecided.size(); number++) {
      heads.add(undecided.job(number));
    }
    heads.forEach(decisions::passOver);
  }
}
