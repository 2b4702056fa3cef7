// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.Changes;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.topology.SliceTable;
import io.sluice.queuemodel.job.AttemptKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/** The jobs and attempts that events touched since this was last collected. */
final class Touched {
  private final SliceTable slices;
  private final LocalQueueUsage localQueueUsage;
  private final Evictions evictions;
  private final List<JobEntry> jobs = new ArrayList<>();
  private final LinkedHashMap<AttemptKey, Attempt> attempts = new LinkedHashMap<>();

  Touched(SliceTable slices, LocalQueueUsage localQueueUsage, Evictions evictions) {
    this.evictions = evictions;
    this.slices = slices;
    this.localQueueUsage = localQueueUsage;
  }

  void add(JobEntry job) {
    if (!job.touched()) {
      job.setTouched(true);
      jobs.add(job);
    }
  }

  void add(Attempt attempt) {
    attempts.put(attempt.key(), attempt);
  }

  /** Notes on the attempt that just ended when its index may be admitted again. */
  void noteRequeue(AttemptKey ended, Instant notBefore) {
    Attempt attempt = attempts.get(ended);
    if (attempt != null) {
      attempt.requeue(notBefore);
    }
  }

  Changes collect() {
    List<JobRecord> changedJobs = new ArrayList<>(jobs.size());
    jobs.sort(Comparator.comparing(JobEntry::id));
    for (JobEntry job : jobs) {
      job.setTouched(false);
      changedJobs.add(job.toRecord());
    }
    List<AttemptRecord> changedAttempts = new ArrayList<>(attempts.size());
    for (Attempt attempt : attempts.values()) {
      changedAttempts.add(attempt.toRecord());
    }
    changedAttempts.sort(Comparator.comparing(AttemptRecord::key));
    jobs.clear();
    attempts.clear();
    return new Changes(
        changedJobs,
        changedAttempts,
        slices.standings().collectTouched(),
        localQueueUsage.collectTouched(),
        evictions.collectTouched());
  }
}
