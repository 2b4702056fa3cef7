// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.job.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a state that goes on changing: as it is when the walk begins, taken some jobs at a
 * time in the order of their ids. Whoever changes the state tells before which jobs it will touch;
 * of those that the walk has not come to it keeps what they were.
 *
 * <p>Begun in the time that it takes to list references; bounded in what it keeps. What uses it
 * takes turns with what changes the state, but for {@link #sort}.
 */
public final class SnapshotWalk {
  /** Of how many jobs at most it keeps what they were, or that they are new. */
  public static final int KEPT_MAX = 100_000;

  private final AdmissionState state;
  private final StateSnapshot others;
  private final List<JobEntry> jobs;
  private final Map<JobId, Part> kept = new TreeMap<>();
  private final TreeSet<JobId> newcomers = new TreeSet<>();
  private int at;
  private @Nullable JobId passed;
  private boolean lost;

  /** One job, with its attempts that have not ended, by key. */
  public record Part(JobRecord job, List<AttemptRecord> attempts) {
    public Part {
      attempts = List.copyOf(attempts);
    }
  }

  SnapshotWalk(AdmissionState state, StateSnapshot others, List<JobEntry> jobs) {
    this.state = state;
    this.others = others;
    this.jobs = jobs;
  }

  /** All that is neither job nor attempt. */
  public StateSnapshot others() {
    return others;
  }

  /** How many jobs there are to take. */
  public int size() {
    return jobs.size();
  }

  /** Orders what is to be taken: once, before the first. It touches nothing that changes. */
  public void sort() {
    jobs.sort(Comparator.comparing(JobEntry::id));
  }

  /** Keeps what jobs are, for they and their attempts are about to change, or to end. */
  public void keep(Collection<JobId> touched) {
    for (JobId id : touched) {
      JobEntry job = state.findJob(id);
      if (job == null) {
        newcomers.add(id);
      } else if (!isPassed(id) && !newcomers.contains(id) && !kept.containsKey(id)) {
        kept.put(id, part(job));
      }
    }
    if (kept.size() + newcomers.size() > KEPT_MAX) {
      lost = true;
      kept.clear();
      newcomers.clear();
    }
  }

  private boolean isPassed(JobId id) {
    return passed != null && id.compareTo(passed) <= 0;
  }

  /** Whether too much has changed since it began: what it would give now is no snapshot. */
  public boolean lost() {
    return lost;
  }

  /**
   * The next jobs; none at the end.
   *
   * @throws IllegalStateException if it is {@link #lost}
   */
  public List<Part> next(int most) {
    if (lost) {
      throw new IllegalStateException("more than " + KEPT_MAX + " jobs changed meanwhile");
    }
    List<Part> parts = new ArrayList<>();
    for (; at < jobs.size() && parts.size() < most; at++) {
      JobEntry job = jobs.get(at);
      Part before = kept.remove(job.id());
      parts.add(before == null ? part(job) : before);
      passed = job.id();
    }
    return parts;
  }

  private static Part part(JobEntry job) {
    List<AttemptRecord> attempts = new ArrayList<>();
    job.live().forEach(attempt -> attempts.add(attempt.toRecord()));
    attempts.sort(Comparator.comparing(AttemptRecord::key));
    return new Part(job.toRecord(), attempts);
  }
}
