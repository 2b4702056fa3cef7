// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.ScanPositions;
import io.sluice.admission.policy.CycleRule;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Attempt;
import io.sluice.admission.state.JobEntry;
import io.sluice.admission.state.Prospect;
import io.sluice.admission.state.Prospects;
import io.sluice.admission.state.QueueState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
  /** After so many were passed over, and such a part of the others, all are looked at. */
  private static final int PASSED_MIN = 16;

  private static final int PASSED_PART = 8;

  private final Decisions decisions;
  private final boolean everybody;
  private final boolean foresees;
  private final AdmissionState state;
  private final Nomination nomination;
  private final KnownFits knownFits;

  /**
   * A cycle over the present state.
   *
   * @param everybody whether heads are tried of which nothing can come, too
   * @param foresees whether flavors of some heads are looked for only when their turn comes
   */
  AdmissionCycle(Decisions decisions, boolean everybody, boolean foresees) {
    this.decisions = decisions;
    this.everybody = everybody;
    this.foresees = foresees;
    this.state = decisions.state();
    this.nomination = new Nomination(state);
    this.knownFits = new KnownFits(state);
  }

  /**
   * Runs a cycle of a round.
   *
   * @return whether there was any head of which something could come
   * @throws IllegalStateException if there was one and nothing came of it: the next cycle would be
   *     the same, without end
   */
  boolean run() {
    if (!state.awaited().isEmpty()) {
      return false;
    }
    List<CycleEntry> entries = new ArrayList<>();
    Prospects prospects = state.prospects();
    if (foresees) {
      state.tries().exhaustTreesWithout(prospects);
    }
    for (QueueState queue : everybody ? state.queues() : state.tries().queues()) {
      CycleEntry entry = foresees ? known(queue) : null;
      if (entry == null) {
        entry = firstWithHope(queue, everybody ? Prospect.EVERYTHING : prospects.of(queue));
      }
      if (entry == null) {
        state.tries().exhaust(queue);
      } else {
        entries.add(entry);
      }
    }
    int before = decisions.size();
    serve(entries, new ClaimedRoom(decisions, nomination));
    if (!entries.isEmpty() && decisions.size() == before) {
      throw new IllegalStateException("a cycle decided nothing about " + entries.get(0).job());
    }
    return !entries.isEmpty();
  }

  /** The first job of a queue, if it is known to fit. */
  private @Nullable CycleEntry known(QueueState queue) {
    JobEntry first = state.tries().first(queue);
    return first == null ? null : knownFits.of(first);
  }

  /** The first job of a queue of which something can come; those passed over are parked. */
  private @Nullable CycleEntry firstWithHope(QueueState queue, Prospect prospect) {
    for (JobEntry head = queue.head(prospect); head != null; head = queue.head(prospect)) {
      CycleEntry known = foresees ? knownFits.of(head) : null;
      CycleEntry entry = known == null ? nomination.of(head, ScanPositions.START) : known;
      if (known == null && entry.fits()) {
        knownFits.note(entry);
      }
      if (entry.fits() || entry.victims() != null) {
        return entry;
      }
      RungChanges.follow(decisions, head, entry.assignment());
      // What is sought for it may concern those who were parked before, who are still to come.
      state.tries().unparkFirstTouched();
      state.tries().park(head);
    }
    return null;
  }

  /**
   * Runs a single cycle. Heads of which nothing came are parked, unless their queue lets nobody
   * pass or there are flavors that they have not looked at.
   */
  void runSingle(CycleMemory memory) {
    List<CycleEntry> heads = new ArrayList<>();
    List<CycleEntry> entries = new ArrayList<>();
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
          entries.add(entry);
        }
      }
    }
    places.serve(room);
    serve(entries, room);
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
  private @Nullable CycleEntry next(ServingOrder order) {
    return state.awaited().isEmpty() ? order.next() : null;
  }

  private boolean noLongerFits(CycleEntry entry) {
    return entry.foreseen() && !state.ledger().fits(entry.taken());
  }

  private void serve(List<CycleEntry> entries, RoomKeeping room) {
    ServingOrder order = new ServingOrder(state, entries);
    boolean roomOnlyShrinks = entries.stream().allMatch(CycleEntry::fits);
    int passed = 0;
    for (CycleEntry next = next(order); next != null; next = next(order)) {
      if (noLongerFits(next)) {
        passed++;
        if (roomOnlyShrinks && passed > PASSED_MIN + order.size() / PASSED_PART) {
          order.leaveOut(this::noLongerFits);
          passed = 0;
        }
        continue;
      }
      CycleEntry entry = room.refresh(next);
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
    room.end();
  }
}
