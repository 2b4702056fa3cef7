// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.admission.explain.Blocker;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.PendingJobs;
import io.sluice.queuemodel.job.JobId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Explains several jobs in one state. The explanation of a job that does not fit looks at
 * everything that is admitted. Jobs of one shape in one queue lack the same, and none behind the
 * first waiting one may evict more. So only that one is explained, and the others reuse its
 * obstacles with their own index and place. Valid until the state changes.
 */
final class PageExplanations {
  /** A waiting job with the explanation that jobs of its shape behind it reuse. */
  private record Model(JobEntry job, Optional<Explanation> explanation) {}

  private final AdmissionState state;
  private final Explainer explainer;
  private final Map<JobId, Model> ofHeads = new TreeMap<>();
  private int explained;

  PageExplanations(AdmissionState state) {
    this.state = state;
    this.explainer = new Explainer(state);
  }

  /** Whether it is of this state, which may have changed since. */
  boolean isOf(AdmissionState other) {
    return state == other;
  }

  /** As {@link Explainer#explain}. */
  Optional<Explanation> explain(JobEntry job) {
    Model model = model(job);
    if (model == null) {
      return own(job);
    }
    if (model.job.equals(job)) {
      return model.explanation;
    }
    int index = job.nextIndex(state.now()).orElseThrow();
    return model.explanation.map(found -> of(job, index, found));
  }

  /** The blocker of {@link #explain}, without the place in the queue. */
  Optional<Blocker> blocker(JobEntry job) {
    Model model = model(job);
    return (model == null ? own(job) : model.explanation).map(Explanation::blocker);
  }

  /** The model that explains a job, which may be the job itself; null: none. */
  private @Nullable Model model(JobEntry job) {
    JobEntry head = waitsOnly(job) ? job.queue().pending().firstOfShape(job) : null;
    if (head == null || job.nextIndex(state.now()).isEmpty()) {
      return null;
    }
    Model model = model(head, job);
    boolean explains =
        model.job.equals(job) || model.explanation.filter(PageExplanations::lacks).isPresent();
    return explains ? model : null;
  }

  /** The model of a shape: its head, or the first requested job if a part of the head is live. */
  private Model model(JobEntry head, JobEntry job) {
    Model known = ofHeads.get(head.id());
    if (known != null && job.queue().pending().order().compare(known.job, job) <= 0) {
      return known;
    }
    JobEntry first = waitsOnly(head) ? head : job;
    Model model = new Model(first, own(first));
    ofHeads.put(head.id(), model);
    return model;
  }

  /** Number of explanations that were computed. */
  int explained() {
    return explained;
  }

  private Optional<Explanation> own(JobEntry job) {
    explained++;
    return explainer.explain(job);
  }

  /**
   * Whether a job is pending, and no part of it is live, has a claim or is kept from being tried.
   */
  private static boolean waitsOnly(JobEntry job) {
    PendingJobs pending = job.queue().pending();
    return pending.contains(job)
        && !pending.withholds(job)
        && !job.busy()
        && job.hold() == null
        && job.cancelledBy() == null;
  }

  /** Whether a job waits because it lacks capacity or quota, whatever its place. */
  private static boolean lacks(Explanation explanation) {
    return !explanation.obstacles().isEmpty()
        && explanation.rungs().isEmpty()
        && explanation.blocker() != Blocker.WAITING_FOR_DRAIN;
  }

  private static Explanation of(JobEntry job, int index, Explanation found) {
    return new Explanation(
        job.index(index),
        found.blocker(),
        job.queue().countBefore(job),
        found.obstacles(),
        found.inTheWay(),
        found.times(),
        found.change(),
        found.account());
  }
}
