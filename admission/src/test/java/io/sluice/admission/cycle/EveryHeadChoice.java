// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.decision.RungChanges;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.AwaitedRoom;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.queuemodel.job.JobId;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Heads found by the definition of a pass alone, with nothing parked, passed over or kept.
 *
 * <p>Each cycle walks all jobs of all queues in order, and tries the first job of each shape until
 * one has hope. A job is tried once until its tree is opened again: by room, by the first decision
 * there in a round, or by any decision once no head is left. No bound and no mark is asked.
 */
public final class EveryHeadChoice implements HeadChoice {
  private final TreeMap<Integer, Set<JobId>> tried = new TreeMap<>();
  private @Nullable Decisions round;
  private int triedInVain;

  /** How many heads were tried in vain. */
  public int triedInVain() {
    return triedInVain;
  }

  @Override
  public Entrants choose(Decisions decisions, Nomination nomination) {
    if (decisions != round) {
      round = decisions;
      tried.clear();
    }
    Entrants entrants = new Entrants(decisions.state());
    CycleHeads heads = new CycleHeads(decisions, nomination);
    for (QueueState queue : decisions.state().queues()) {
      CycleEntry entry = firstWithHope(queue, heads, decisions);
      if (entry == null) {
        decisions.state().tries().await(queue.node());
      } else {
        entrants.add(entry);
      }
    }
    return entrants;
  }

  private @Nullable CycleEntry firstWithHope(
      QueueState queue, CycleHeads heads, Decisions decisions) {
    AdmissionState state = decisions.state();
    for (JobEntry job = next(queue, state); job != null; job = next(queue, state)) {
      CycleEntry entry = heads.nominate(job);
      if (CycleHeads.hasHope(entry)) {
        return entry;
      }
      RungChanges.follow(decisions, job, entry.assignment());
      state.tries().unparkFirstTouched();
      triedInVain++;
      triedSinceOpened(queue, state).add(job.id());
      state.tries().await(queue.node());
    }
    return null;
  }

  private @Nullable JobEntry next(QueueState queue, AdmissionState state) {
    Set<JobId> before = triedSinceOpened(queue, state);
    for (JobEntry job : queue.pending().inOrder()) {
      boolean first = job.equals(queue.pending().firstOfShape(job));
      if (first && queue.mayTry(job) && !before.contains(job.id())) {
        return job;
      }
    }
    return null;
  }

  private Set<JobId> triedSinceOpened(QueueState queue, AdmissionState state) {
    Set<JobId> its = tried.computeIfAbsent(queue.node(), absent -> new TreeSet<>());
    if (!AwaitedRoom.of(state, queue.node())) {
      its.clear();
    }
    return its;
  }
}
