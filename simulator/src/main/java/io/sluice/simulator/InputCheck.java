// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.LimitEvent;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks P3: each consumed input took effect exactly once. That each input is consumed at most once
 * is seen by the store, that none is left by the run's end.
 */
final class InputCheck {
  private final TreeMap<String, JobId> byKey = new TreeMap<>();
  private final TreeSet<JobId> enqueued = new TreeSet<>();

  /**
   * Looks at a batch.
   *
   * @throws BrokenPromiseException if an input of it had no effect, or a job came twice
   */
  void check(Written written, AdmissionState after) {
    for (Event event : written.batch().events()) {
      if (event instanceof Event.JobEnqueued arrived) {
        enqueue(arrived.workload());
      }
    }
    TreeMap<JobId, Input.PrioritizeJob> priorities = new TreeMap<>();
    TreeMap<JobId, Input.LimitJob> limits = new TreeMap<>();
    for (Input input : written.inputs()) {
      if (input instanceof Input.PrioritizeJob wish && enqueued.contains(wish.job())) {
        priorities.put(wish.job(), wish);
      }
      if (input instanceof Input.LimitJob wish && enqueued.contains(wish.job())) {
        limits.put(wish.job(), wish);
      }
      if (input instanceof Input.SubmitJob submit && !enqueued.contains(submit.workload().id())) {
        throw lost(input);
      }
      if (input instanceof Input.CancelJob cancel) {
        JobEntry job = after.findJob(cancel.job());
        if (job != null && job.cancelledBy() == null) {
          throw lost(input);
        }
      }
    }
    limits.values().forEach(wish -> checkLimit(wish, written, after));
    priorities.forEach(
        (id, wish) -> {
          JobEntry job = after.findJob(id);
          if (job != null
              && job.cancelledBy() == null
              && !job.workload().priority().equals(wish.priority())) {
            throw lost(wish);
          }
        });
  }

  /** A limit is changed, or refused by an event. */
  private static void checkLimit(Input.LimitJob wish, Written written, AdmissionState after) {
    JobEntry job = after.findJob(wish.job());
    if (job == null
        || job.cancelledBy() != null
        || Objects.equals(job.workload().limits().timeLimit(), wish.timeLimit())) {
      return;
    }
    boolean refused =
        written.batch().events().stream()
            .anyMatch(
                event ->
                    event instanceof LimitEvent.TimeLimitRefused refusal
                        && refusal.job().equals(wish.job())
                        && Objects.equals(refusal.timeLimit(), wish.timeLimit()));
    if (!refused || wish.override()) {
      throw lost(wish);
    }
  }

  private void enqueue(Workload workload) {
    JobId other = byKey.put(workload.name(), workload.id());
    if (other != null) {
      throw new BrokenPromiseException(
          Promise.INPUTS,
          "key %s is job %s and job %s".formatted(workload.name(), other, workload.id()));
    }
    enqueued.add(workload.id());
  }

  private static BrokenPromiseException lost(Input input) {
    return new BrokenPromiseException(Promise.INPUTS, input + " was consumed without effect");
  }
}
