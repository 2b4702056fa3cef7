// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.record.SubmitterKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The running jobs of each submitter, with limits. A job counts as running while it holds or claims
 * quota, so an admission never exceeds the limit that its claim was checked against. Only the state
 * changes it.
 */
public final class RunningJobs {
  private final TreeMap<QueueKey, Integer> limits = new TreeMap<>();
  private final LinkedHashMap<SubmitterKey, LinkedHashSet<JobId>> running = new LinkedHashMap<>();

  private final AdmissionState state;

  RunningJobs(AdmissionState state) {
    this.state = state;
  }

  /** Returns the limit of running jobs per submitter in a LocalQueue; null if unlimited. */
  public @Nullable Integer limit(QueueKey queue) {
    return limits.get(queue);
  }

  /** Returns whether any LocalQueue limits the running jobs of a submitter. */
  boolean anyLimits() {
    return !limits.isEmpty();
  }

  /** Returns the running jobs of a submitter, by id. */
  public SortedSet<JobId> running(SubmitterKey submitter) {
    LinkedHashSet<JobId> known = running.get(submitter);
    return known == null ? Collections.emptySortedSet() : new TreeSet<>(known);
  }

  /** Returns the submitters with running jobs, in no particular order. */
  public Set<SubmitterKey> submitters() {
    return Collections.unmodifiableSet(running.keySet());
  }

  /** Returns whether a submitter has reached the limit. */
  public boolean full(SubmitterKey submitter) {
    Integer limit = limits.get(submitter.queue());
    return limit != null && count(submitter) >= limit;
  }

  /** Returns the number of a submitter's running jobs. */
  public int count(SubmitterKey submitter) {
    LinkedHashSet<JobId> known = running.get(submitter);
    return known == null ? 0 : known.size();
  }

  /** Sets the limit of running jobs per submitter in a LocalQueue; null for unlimited. */
  void setLimit(LocalQueue queue, @Nullable Integer limit) {
    if (limit == null) {
      limits.remove(queue.queueKey());
    } else {
      limits.put(queue.queueKey(), limit);
    }
    QueueState behind = state.queue(queue.clusterQueue());
    for (SubmitterKey submitter : submitters()) {
      if (behind != null && submitter.queue().equals(queue.queueKey())) {
        withhold(submitter, behind);
      }
    }
  }

  /** Updates whether a job counts among its submitter's running jobs. */
  void count(JobEntry job) {
    if (job.busy() == job.counted()) {
      return;
    }
    SubmitterKey submitter = SubmitterKey.of(job.workload());
    if (job.busy()) {
      running.computeIfAbsent(submitter, absent -> new LinkedHashSet<>()).add(job.id());
    } else {
      LinkedHashSet<JobId> left = running.get(submitter);
      if (left != null && left.remove(job.id()) && left.isEmpty()) {
        running.remove(submitter);
      }
    }
    job.setCounted(job.busy());
    withhold(submitter, job.queue());
  }

  /** Withholds a submitter's pending jobs at the limit, or returns them to the queue below it. */
  private void withhold(SubmitterKey submitter, QueueState queue) {
    state.tries().change(queue, pending -> pending.withhold(submitter, full(submitter)));
  }
}
