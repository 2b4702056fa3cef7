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
 * An incremental, consistent snapshot of a changing state: the state at the start of the walk, read
 * in batches of jobs by id. Writers announce the jobs that they are about to change, and the walk
 * copies those that it has not reached.
 *
 * <p>Starting takes only the time to list references, and the copies are bounded. Except for {@link
 * #sort}, callers must synchronize with writers.
 */
public final class SnapshotWalk {
  /** Maximum number of jobs that the walk copies or records as new. */
  public static final int KEPT_MAX = 100_000;

  private final AdmissionState state;
  private final StateSnapshot others;
  private final List<JobEntry> jobs;
  private final Map<JobId, Part> kept = new TreeMap<>();
  private final TreeSet<JobId> newcomers = new TreeSet<>();
  private int at;
  private @Nullable JobId passed;
  private boolean lost;

  /** A job with its attempts that have not ended, by key. */
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

  /** Returns everything except jobs and attempts. */
  public StateSnapshot others() {
    return others;
  }

  /** Returns the number of jobs in the snapshot. */
  public int size() {
    return jobs.size();
  }

  /** Sorts the jobs, once, before the first batch. It reads nothing that changes. */
  public void sort() {
    jobs.sort(Comparator.comparing(JobEntry::id));
  }

  /** Copies jobs that are about to change or end, with their attempts. */
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

  /** Returns whether too many jobs have changed, so that the walk cannot be completed. */
  public boolean lost() {
    return lost;
  }

  /**
   * Returns the next jobs; empty at the end.
   *
   * @throws IllegalStateException if the walk is {@link #lost}
   */
  public List<Part> next(int most) {
    if (lost) {
      throw new IllegalStateException("more than " + KEPT_MAX + " jobs changed during the walk");
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
