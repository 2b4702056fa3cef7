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
 * Which jobs of each submitter run, and how many may. A job runs here while something of it holds
 * or claims quota, so that an admission never exceeds what was free when its claim was made. Only
 * the state changes it.
 */
public final class RunningJobs {
  private final TreeMap<QueueKey, Integer> limits = new TreeMap<>();
  private final LinkedHashMap<SubmitterKey, LinkedHashSet<JobId>> running = new LinkedHashMap<>();

  private final AdmissionState state;

  RunningJobs(AdmissionState state) {
    this.state = state;
  }

  /** How many jobs of one submitter may run from a LocalQueue; null: any number. */
  public @Nullable Integer limit(QueueKey queue) {
    return limits.get(queue);
  }

  /** The jobs of a submitter that run, by id. */
  public SortedSet<JobId> running(SubmitterKey submitter) {
    LinkedHashSet<JobId> known = running.get(submitter);
    return known == null ? Collections.emptySortedSet() : new TreeSet<>(known);
  }

  /** Whoever has a job that runs, in no order that means anything. */
  public Set<SubmitterKey> submitters() {
    return Collections.unmodifiableSet(running.keySet());
  }

  /** Whether no further job of a submitter may begin to run. */
  public boolean full(SubmitterKey submitter) {
    Integer limit = limits.get(submitter.queue());
    return limit != null && count(submitter) >= limit;
  }

  /** How many jobs of a submitter run. */
  public int count(SubmitterKey submitter) {
    LinkedHashSet<JobId> known = running.get(submitter);
    return known == null ? 0 : known.size();
  }

  /** Takes up how many jobs of one submitter may run from a LocalQueue; null: any number. */
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

  /** Counts a job among those of its submitter that run, or no longer. */
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

  /** Leaves out the pending jobs of a submitter who may run no more, or takes them back in. */
  private void withhold(SubmitterKey submitter, QueueState queue) {
    state.tries().change(queue, pending -> pending.withhold(submitter, full(submitter)));
  }
}
