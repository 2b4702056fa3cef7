// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.decision;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.CapacityTerms;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.RungEvent;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.Rung;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Admits an index of a job. This serves the assigned rung, and a job with no further index to admit
 * stops waiting for other rungs. A closed rung stays closed unless it is the one served.
 */
public final class IndexAdmission {
  private static final int FIRST_GENERATION = 1;

  private final Decisions decisions;

  public IndexAdmission(Decisions decisions) {
    this.decisions = decisions;
  }

  public void admit(JobEntry job, int index, Assignment assignment, Collection<JobId> displaced) {
    decisions.record(
        new Event.Admitted(
            new AttemptKey(job.id(), index, job.attempts(index) + 1),
            FIRST_GENERATION,
            assignment,
            List.copyOf(displaced),
            terms(job, assignment)));
    if (!job.ladder().isEmpty()) {
      boolean done = job.nextIndex(decisions.now()).isEmpty();
      leave(job, done, assignment.rung());
    }
  }

  /** Returns the terms of the rung in the current class; null if the class sets none. */
  private @Nullable CapacityTerms terms(JobEntry job, Assignment assignment) {
    ComputeClass ladder = decisions.state().objects().computeClassOf(job);
    Integer number = assignment.rung();
    if (ladder == null || number == null || number >= ladder.rungs().size()) {
      return null;
    }
    Rung rung = ladder.rungs().get(number);
    CapacityTerms terms = new CapacityTerms(rung.maxRun(), rung.terms().pricePerChipHour());
    return terms.equals(CapacityTerms.NONE) ? null : terms;
  }

  /** Removes a job from all its waiting rungs, or only from the rung that was served. */
  private void leave(JobEntry job, boolean all, @Nullable Integer served) {
    for (Map.Entry<Integer, RungProgress> entry : new TreeMap<>(job.ladder()).entrySet()) {
      boolean closed = entry.getValue().standing() == RungProgress.Standing.CLOSED;
      if (entry.getKey().equals(served) || (all && !closed)) {
        decisions.record(new RungEvent.RungLeft(new RungKey(job.id(), entry.getKey())));
      }
    }
  }

  /** Removes a job from all rungs on which it waits. */
  public void leaveAll(JobEntry job) {
    leave(job, true, null);
  }
}
