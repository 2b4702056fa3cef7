// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.HeadStart;
import io.sluice.admission.state.record.PriorityChange;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Moves jobs in their queues: all that is ordered by place is left, and entered anew. */
final class QueuePlaces {
  private final AdmissionState state;

  QueuePlaces(AdmissionState state) {
    this.state = state;
  }

  /** Gives a job another priority. */
  void prioritize(JobEntry job, PriorityChange change) {
    move(job, () -> job.prioritize(change));
    // Whom it may evict now, and who may evict it, stands in any queue.
    state.tries().unparkAll();
    state.touched().add(job);
  }

  /** Has a job stand before others of its priority. */
  void giveHeadStart(JobEntry job, HeadStart headStart) {
    move(job, () -> job.setHeadStart(headStart));
    // Who stood first and was waiting for something may not stand first any more.
    state.tries().unparkAll();
    state.touched().add(job);
  }

  /** Has a job stand where it belongs after what became of its attempts. */
  void settle(JobEntry job) {
    Instant missedAt = state.policy().starts().requeuesBehind() ? job.missedAt() : null;
    if (!Objects.equals(missedAt, job.workload().submitted().behindSince())) {
      move(job, () -> job.standBehind(missedAt));
    }
  }

  private void move(JobEntry job, Runnable change) {
    List<Attempt> live = List.copyOf(job.live());
    state.takeOut(job);
    state.ladders().unindex(job);
    job.queue().forgetClaiming(job);
    live.forEach(state.holdings()::forgetPriority);
    change.run();
    live.forEach(state.holdings()::notePriority);
    job.queue().setClaiming(job);
    state.ladders().index(job);
    state.refresh(job);
  }
}
