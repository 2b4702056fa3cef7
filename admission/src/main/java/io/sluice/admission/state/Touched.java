// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.Changes;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.topology.SliceTable;
import io.sluice.queuemodel.job.AttemptKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;

/** The jobs and attempts changed since the last collection. */
final class Touched {
  private final SliceTable slices;
  private final LocalQueueUsage localQueueUsage;
  private final Evictions evictions;
  private final LinkedHashSet<JobEntry> jobs = new LinkedHashSet<>();
  private final LinkedHashMap<AttemptKey, Attempt> attempts = new LinkedHashMap<>();

  Touched(SliceTable slices, LocalQueueUsage localQueueUsage, Evictions evictions) {
    this.evictions = evictions;
    this.slices = slices;
    this.localQueueUsage = localQueueUsage;
  }

  void add(JobEntry job) {
    jobs.add(job);
  }

  void add(Attempt attempt) {
    attempts.put(attempt.key(), attempt);
  }

  /** Records on the ended attempt when its index may be admitted again. */
  void noteRequeue(AttemptKey ended, Instant notBefore) {
    Attempt attempt = attempts.get(ended);
    if (attempt != null) {
      attempt.requeue(notBefore);
    }
  }

  Changes collect() {
    List<JobRecord> changedJobs = new ArrayList<>(jobs.size());
    jobs.stream()
        .sorted(Comparator.comparing(JobEntry::id))
        .forEach(job -> changedJobs.add(job.toRecord()));
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
