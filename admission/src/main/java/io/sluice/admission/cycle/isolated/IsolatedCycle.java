// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

import io.sluice.admission.cycle.CycleEntry;
import io.sluice.admission.cycle.Entrants;
import io.sluice.admission.cycle.Nomination;
import io.sluice.admission.cycle.Serving;
import io.sluice.admission.decision.Decisions;
import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.PriorHolding;
import io.sluice.admission.flavor.ScanPositions;
import io.sluice.admission.policy.CycleRule;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.queuemodel.event.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a single scheduling cycle as Kueue defines and tests it. Servers run rounds; this class
 * computes what Kueue would have decided.
 */
public final class IsolatedCycle {
  private final AdmissionState state;
  private final CycleMemory memory;

  /**
   * Creates cycles over a state. They share the memory that Kueue keeps between cycles.
   *
   * @param state a state under {@link CycleRule#SINGLE}
   */
  public IsolatedCycle(AdmissionState state, CycleMemory memory) {
    this.state = state;
    this.memory = memory;
  }

  /**
   * Decides one cycle, without inputs, deadlines or claims. Inadmissible heads are parked, unless
   * their queue is strict FIFO or flavors remain to be tried.
   *
   * @return the events, which are already applied to the state
   */
  public List<Event> decide(Instant now) {
    if (state.policy().cycle() != CycleRule.SINGLE) {
      throw new IllegalStateException("a single cycle requires CycleRule.SINGLE");
    }
    Decisions decisions = new Decisions(state, now);
    run(decisions);
    return decisions.events();
  }

  private void run(Decisions decisions) {
    Nomination nomination = new Nomination(state);
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
        Attempt before = relations.predecessor(state, head);
        PriorHolding prior =
            before == null ? PriorHolding.NONE : new Predecessor(before.assignment().podSets());
        CycleEntry entry = nomination.of(head, memory.takePositions(head.id()), prior);
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
    new Serving(state).serve(entrants, room);
    for (CycleEntry head : heads) {
      HeadOutcome outcome = room.outcomes().get(head.job().id());
      if (outcome != null) {
        memory.note(head.job().id(), outcome, head.assignment());
        if (outcome.hopeless()) {
          leave(head);
        }
      }
    }
  }

  private void leave(CycleEntry entry) {
    ScanPositions reached = ScanPositions.after(entry.assignment());
    if (reached.goesOn()) {
      memory.remember(entry.job().id(), reached);
    } else if (!entry.job().queue().strict()) {
      state.tries().park(entry.job());
    }
  }
}
