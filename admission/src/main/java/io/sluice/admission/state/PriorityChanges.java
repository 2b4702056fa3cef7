// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import java.util.List;

/** Gives jobs other priorities: all that is ordered by them is left, and entered anew. */
final class PriorityChanges {
  private final AdmissionState state;

  PriorityChanges(AdmissionState state) {
    this.state = state;
  }

  void change(JobEntry job, PriorityChange change) {
    List<Attempt> live = List.copyOf(job.live());
    state.takeOut(job);
    state.ladders().unindex(job);
    job.queue().forgetClaiming(job);
    live.forEach(state.holdings()::forgetPriority);
    job.prioritize(change);
    live.forEach(state.holdings()::notePriority);
    job.queue().setClaiming(job);
    state.ladders().index(job);
    state.refresh(job);
    // Whom it may evict now, and who may evict it, stands in any queue.
    state.tries().unparkAll();
    state.touch(job);
  }
}
