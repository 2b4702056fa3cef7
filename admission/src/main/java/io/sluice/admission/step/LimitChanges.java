// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.plan.LimitTrial;
import io.sluice.admission.plan.Planning;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.LimitEvent;
import io.sluice.queuemodel.job.JobId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Decides requests for other time limits, in their order and after all other inputs of the round. A
 * shorter limit is always accepted. A longer one is refused if it would move a planned start of
 * another job, or let an attempt cross a booking or an outage, unless an administrator overrides
 * that.
 */
public final class LimitChanges {
  private final Decisions decisions;
  private final AdmissionState state;

  public LimitChanges(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
  }

  public void decide(List<Input> inputs) {
    for (Input input : inputs) {
      if (input instanceof Input.LimitJob wish) {
        decide(wish);
      }
    }
  }

  private void decide(Input.LimitJob wish) {
    JobEntry job = state.findJob(wish.job());
    Duration limit = wish.timeLimit();
    if (job == null
        || job.cancelledBy() != null
        || Objects.equals(job.workload().limits().timeLimit(), limit)) {
      return;
    }
    LimitTrial trial = new LimitTrial(state, decisions.now());
    List<JobId> moved = wish.override() ? List.of() : trial.moved(job, limit);
    boolean crosses = !wish.override() && !trial.crossed(job, limit).isEmpty();
    if (moved.isEmpty() && !crosses) {
      decisions.record(new LimitEvent.TimeLimitChanged(job.id(), wish.caller(), limit));
      if (wish.override()) {
        state.plan().noteOverride();
      }
      new Planning(decisions).moveLimited(job);
    } else {
      int named = Math.min(moved.size(), LimitEvent.TimeLimitRefused.NAMED_MAX);
      decisions.record(
          new LimitEvent.TimeLimitRefused(
              job.id(), wish.caller(), limit, moved.subList(0, named), moved.size()));
    }
  }
}
