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
 * Jobs that wait, one LocalQueue and shape at a time: those who ask for the same from the same
 * place are blocked alike, so that the first of them speaks for all. Of many kinds of them only so
 * many are looked at; what a preview says about the others is then not all there is.
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
      // Also of jobs of which nothing waits: with an edit and without, the same kinds are chosen.
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

  /** The jobs that cannot be admitted before somebody edits a quota object. */
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
