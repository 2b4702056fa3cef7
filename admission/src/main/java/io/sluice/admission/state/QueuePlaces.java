// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.record.HeadStart;
import io.sluice.admission.state.record.PriorityChange;
import io.sluice.queuemodel.quota.ClusterQueue;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Moves jobs within their queues: removes them from all ordered collections and adds them again.
 */
final class QueuePlaces {
  private final AdmissionState state;

  QueuePlaces(AdmissionState state) {
    this.state = state;
  }

  /** Changes the priority of a job. */
  void prioritize(JobEntry job, PriorityChange change) {
    move(job, () -> job.prioritize(change));
    // Its possible victims and preemptors may be in any queue.
    state.tries().unparkAll();
    state.touched().add(job);
  }

  /** Moves a job ahead of others of its priority. */
  void giveHeadStart(JobEntry job, HeadStart headStart) {
    move(job, () -> job.setHeadStart(headStart));
    // A job that was first and waiting may no longer be first.
    state.tries().unparkAll();
    state.touched().add(job);
  }

  /** Updates a job's place after its time limit has changed. */
  void rank(JobEntry job) {
    if (job.hasToRank()) {
      move(job, job::rank);
      // A job that was first and waiting may no longer be first.
      state.tries().unparkAll();
    }
  }

  /**
   * Updates the places of the jobs of a queue after its policies have changed. All planned starts
   * are checked and all jobs tried again after such a change.
   */
  void rank(QueueState queue, ClusterQueue before) {
    if (before.policies().ranking().equals(queue.spec().policies().ranking())) {
      return;
    }
    for (JobEntry job : state.jobs()) {
      if (job.queue().equals(queue) && job.hasToRank()) {
        moveAlone(job, job::rank);
      }
    }
  }

  /** Updates a job's place after its attempts have changed. */
  void settle(JobEntry job) {
    Instant missedAt = state.policy().starts().requeuesBehind() ? job.missedAt() : null;
    if (!Objects.equals(missedAt, job.workload().submitted().behindSince())) {
      move(job, () -> job.standBehind(missedAt));
    }
  }

  private void move(JobEntry job, Runnable change) {
    moveAlone(job, change);
    state.plan().noteOrder(job);
  }

  private void moveAlone(JobEntry job, Runnable change) {
    List<Attempt> live = List.copyOf(job.live());
    state.takeOut(job);
    state.ladders().unindex(job);
    job.queue().forgetClaiming(job);
    live.forEach(state.holdings()::forgetPriority);
    change.run();
    live.forEach(state.holdings()::notePriority);
    state.holdings().noteClaims(job);
    job.queue().setClaiming(job);
    state.ladders().index(job);
    state.refresh(job);
  }
}
