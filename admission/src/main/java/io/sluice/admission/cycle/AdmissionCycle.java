// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Runs one cycle of a round, modelled on Kueue's scheduling cycle.
 *
 * <ol>
 *   <li>Take the head of each ClusterQueue that admits.
 *   <li>Nominate all heads against the same state: flavors, and victims where they are needed.
 *   <li>Order the heads.
 *   <li>Serve them in that order, each against what earlier heads left: admit what fits, preempt
 *       for what may preempt, and leave what no longer fits to the next cycle.
 * </ol>
 *
 * <p>It deviates from Kueue in two ways. An inadmissible head (no fit, no victims) does not use up
 * its queue's turn: the cycle takes the next workload at once, so the decisions of a round do not
 * depend on which heads an earlier round parked. And the preemptor claims the room of its victims,
 * which protects the room until it is free, not only within the cycle.
 */
public final class AdmissionCycle {
  private final Decisions decisions;
  private final HeadChoice choice;
  private final AdmissionState state;
  private final Nomination nomination;
  private final UnaryOperator<RoomKeeping> rooms;

  /**
   * Creates a cycle over the current state.
   *
   * @param choice how heads are chosen
   * @param rooms wraps the room keeping of a round
   */
  public AdmissionCycle(Decisions decisions, HeadChoice choice, UnaryOperator<RoomKeeping> rooms) {
    this.rooms = rooms;
    this.decisions = decisions;
    this.choice = choice;
    this.state = decisions.state();
    this.nomination = new Nomination(state);
  }

  /**
   * Runs a cycle. If every head could be served by its nomination and yet nothing is decided,
   * nomination and room keeping contradict each other, and the cycle would repeat forever. It
   * therefore passes over all these heads for the rest of the round, and their queues continue with
   * later jobs.
   *
   * @return whether any head was admissible by its nomination
   */
  public boolean run() {
    if (!state.awaited().isEmpty()) {
      return false;
    }
    // A planned start that the choice writes may forbid what it nominated before.
    int before = decisions.size();
    Entrants entrants = choice.choose(decisions, nomination);
    if (entrants.size() == 0) {
      return false;
    }
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
