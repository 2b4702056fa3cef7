// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.ScanPositions;
import io.sluice.admission.policy.CycleRule;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.quota.FreeQuota;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Attempt;
import io.sluice.admission.state.JobEntry;
import io.sluice.admission.state.Prospect;
import io.sluice.admission.state.QueueState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;

/**
 * Step: one cycle, as Kueue defines it.
 *
 * <ol>
 *   <li>Take the head of each ClusterQueue that admits.
 *   <li>Find flavors, and victims where they are needed, for all heads against the same state.
 *   <li>Order the heads.
 *   <li>Serve one after another, each seeing what those before it took: admit what fits, evict for
 *       what may evict, and pass over what no longer fits, to be tried in the next cycle.
 * </ol>
 *
 * <p>By {@link CycleRule#SINGLE} it is that and nothing else. A cycle of a round deviates. A head
 * of which nothing can come does not use up its queue's place in the cycle: the one behind it is
 * taken at once, so that what a round decides does not depend on whom an earlier round left parked.
 * And an evicted victim's room is claimed for the preemptor, so it is protected until it is free,
 * not within the cycle only.
 */
final class AdmissionCycle {
  private final Decisions decisions;
  private final HeadChoice choice;
  private final AdmissionState state;
  private final Nomination nomination;
  private final UnaryOperator<RoomKeeping> rooms;

  /**
   * A cycle over the present state.
   *
   * @param choice of heads in a round
   * @param rooms what stands before the room of a round
   */
  AdmissionCycle(Decisions decisions, HeadChoice choice, UnaryOperator<RoomKeeping> rooms) {
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
  boolean run() {
    if (!state.awaited().isEmpty()) {
      return false;
    }
    Entrants entrants = choice.choose(decisions, nomination);
    if (entrants.size() == 0) {
      return false;
    }
    int before = decisions.size();
    serve(entrants, rooms.apply(new ClaimedRoom(decisions, nomination)));
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

  /**
   * Runs a single cycle. Heads of which nothing came are parked, unless their queue lets nobody
   * pass or there are flavors that they have not looked at.
   */
  void runSingle(CycleMemory memory) {
    List<CycleEntry> heads = new ArrayList<>();
    Entrants entrants = new Entrants(state);
    JobRelations relations = memory.relations();
    Variants variants = new Variants(relations);
    CycleRoom room = new CycleRoom(decisions, nomination, relations);
    PlaceSearch places = new PlaceSearch(decisions);
    places.nominate(memory.takeSecondPasses());
    for (QueueState queue : state.queues()) {
      JobEntry head = queue.head(Prospect.EVERYTHING);
      if (head != null) {
        Attempt predecessor = relations.predecessor(state, head);
        CycleEntry entry = nomination.of(head, memory.takePositions(head.id()), predecessor);
        heads.add(entry);
        if (variants.heldBack(head)) {
          room.outcomes().put(head.id(), HeadOutcome.HELD_BACK);
        } else if (entry.assignment().mode() == AssignmentMode.NO_FIT) {
          room.outcomes().put(head.id(), HeadOutcome.NO_FIT);
        } else if (entry.victims() != null && relations.isGated(head.id())) {
          room.outcomes().put(head.id(), HeadOutcome.GATED);
        } else {
          entrants.add(entry);
        }
      }
    }
    places.serve(room);
    serve(entrants, room);
    for (CycleEntry head : heads) {
      HeadOutcome outcome = room.outcomes().get(head.job().id());
      if (outcome != null) {
        memory.note(head.job().id(), outcome, head.assignment());
        if (outcome.hopeless()) {
          leave(head, memory);
        }
      }
    }
  }

  private void leave(CycleEntry entry, CycleMemory memory) {
    ScanPositions reached = ScanPositions.after(entry.assignment());
    if (reached.goesOn()) {
      memory.remember(entry.job().id(), reached);
    } else if (!entry.job().queue().strict()) {
      state.tries().park(entry.job());
    }
  }

  /** Nobody is served behind one who has to start before the next is admitted. */
  private int next(ServingOrder order) {
    return state.awaited().isEmpty() ? order.next() : ServingOrder.NOBODY;
  }

  private void serve(Entrants entrants, RoomKeeping room) {
    ServingOrder order = new ServingOrder(state, entrants);
    FreeQuota free = state.ledger().free();
    IntPredicate fits = number -> entrants.fits(number, state.ledger(), free);
    // In a round nothing comes of somebody who fits no more.
    boolean roomOnlyShrinks =
        entrants.roomOnlyShrinks() && state.policy().cycle() == CycleRule.ROUND;
    for (int next = next(order); next != ServingOrder.NOBODY; next = next(order)) {
      CycleEntry entry = entrants.entry(next);
      if ((roomOnlyShrinks || entry.foreseen()) && !fits.test(next)) {
        if (roomOnlyShrinks && !order.anybodyLeft(fits)) {
          break;
        }
      } else {
        serve(room.refresh(entry), room, order);
        free.renew();
      }
    }
    room.end();
  }

  private static void serve(CycleEntry entry, RoomKeeping room, ServingOrder order) {
    Victims victims = entry.victims();
    if (entry.assignment().mode() == AssignmentMode.NO_FIT) {
      room.giveUp(entry);
    } else if (entry.fillers() != null) {
      room.takeBack(entry, entry.fillers());
    } else if (entry.fits()) {
      room.admit(entry);
    } else if (victims == null) {
      room.reserve(entry);
    } else {
      room.evict(entry, victims);
      order.touch(victims);
    }
  }
}
