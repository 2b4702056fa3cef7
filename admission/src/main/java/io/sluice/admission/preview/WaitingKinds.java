// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.explain.Blocker;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.QueueKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The waiting jobs by kind: LocalQueue and shape. Jobs of a kind have the same blocker, so the
 * first represents the others. The number of kinds is bounded; a preview is incomplete for the
 * others.
 */
final class WaitingKinds {
  private static final int KINDS_MAX = 500;

  private static final Comparator<Kind> ORDER =
      Comparator.<Kind, QueueKey>comparing(Kind::queue).thenComparingInt(Kind::shape);

  private record Kind(QueueKey queue, int shape) implements Comparable<Kind> {
    @Override
    public int compareTo(Kind other) {
      return ORDER.compare(this, other);
    }
  }

  private final AdmissionState state;
  private final TreeMap<Kind, List<JobEntry>> kinds = new TreeMap<>();

  WaitingKinds(AdmissionState state) {
    this.state = state;
    for (JobEntry job : state.jobs()) {
      Kind kind = new Kind(job.workload().queue(), job.shapeNumber());
      // Also counts kinds without waiting jobs, so that both copies choose the same kinds.
      if (kinds.size() < KINDS_MAX) {
        kinds.computeIfAbsent(kind, absent -> new ArrayList<>());
      }
      List<JobEntry> waiting = kinds.get(kind);
      if (waiting != null && job.nextIndex(state.now()).isPresent()) {
        waiting.add(job);
      }
    }
    kinds.values().forEach(jobs -> jobs.sort(null));
  }

  /** Returns the jobs that can only be admitted after an edit of a quota object. */
  SortedSet<JobId> forAnEdit() {
    SortedSet<JobId> found = new TreeSet<>();
    for (List<JobEntry> jobs : kinds.values()) {
      if (!jobs.isEmpty() && waitsForAnEdit(jobs.get(0))) {
        jobs.forEach(job -> found.add(job.id()));
      }
    }
    return found;
  }

  private boolean waitsForAnEdit(JobEntry job) {
    return new Explainer(state)
        .explain(job)
        .map(Explanation::blocker)
        .map(Blocker::cure)
        .filter(cure -> cure == Blocker.Cure.QUOTA)
        .isPresent();
  }
}
