// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.Journal;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.DecayedUsage;
import io.sluice.admission.state.record.Eviction;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLifecycle;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.QuotaObject;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The table rows of a live server, written from batches in the same way. */
final class StoredRows {
  private final TreeMap<ObjectKey, QuotaObject> objects = new TreeMap<>();
  private final TreeMap<JobId, JobRecord> jobs = new TreeMap<>();
  private final TreeMap<JobId, JobState> endedJobs = new TreeMap<>();
  private final TreeMap<AttemptKey, AttemptRecord> attempts = new TreeMap<>();
  private final TreeMap<AttemptKey, AttemptState> attemptStates = new TreeMap<>();
  private final TreeMap<IndexKey, Claim> claims = new TreeMap<>();
  private final TreeMap<String, SliceStanding> slices = new TreeMap<>();
  private final TreeSet<Eviction> evictions = new TreeSet<>();
  private final TreeMap<QueueKey, DecayedUsage> localQueueUsage = new TreeMap<>();
  private Fleet fleet = Fleet.EMPTY;
  private @Nullable Instant lastRoundAt;

  /**
   * Writes what a batch made.
   *
   * @throws BrokenPromiseException if a job or attempt goes where it may not
   */
  void write(Journal.Batch batch) {
    lastRoundAt = batch.now();
    batch.events().forEach(this::write);
    batch.changes().jobs().forEach(this::write);
    batch.changes().attempts().forEach(this::write);
    batch.changes().slices().forEach(this::write);
    batch.changes().localQueueUsage().forEach(this::write);
    List<Eviction> remembered = batch.changes().evictions();
    if (remembered != null) {
      evictions.clear();
      evictions.addAll(remembered);
    }
  }

  private void write(Event event) {
    if (event instanceof Event.ObjectSet set) {
      objects.put(set.object().key(), set.object());
    } else if (event instanceof Event.ObjectRemoved removed) {
      objects.remove(removed.key());
    } else if (event instanceof Event.FleetSet set) {
      fleet = set.fleet();
    } else if (event instanceof Event.Claimed claimed) {
      claims.put(claimed.claim().holder(), claimed.claim());
    } else if (event instanceof Event.ClaimEnded ended) {
      claims.remove(ended.holder());
    }
  }

  private void write(JobRecord job) {
    JobId id = job.workload().id();
    JobRecord known = jobs.get(id);
    JobState from = known == null ? endedJobs.getOrDefault(id, JobState.SUBMITTED) : known.state();
    if (!JobLifecycle.permits(from, job.state()) || from.terminal()) {
      throw new BrokenPromiseException(
          Promise.EXECUTIONS, "job " + id + " went from " + from + " to " + job.state());
    }
    if (job.state().terminal()) {
      jobs.remove(id);
      endedJobs.put(id, job.state());
    } else {
      jobs.put(id, job);
    }
  }

  private void write(AttemptRecord attempt) {
    AttemptState from = attemptStates.put(attempt.key(), attempt.state());
    if (from != null
        && (from == AttemptState.ENDED || !JobLifecycle.permits(from, attempt.state()))) {
      throw new BrokenPromiseException(
          Promise.EXECUTIONS, attempt.key() + " went from " + from + " to " + attempt.state());
    }
    if (attempt.state() == AttemptState.ENDED) {
      attempts.remove(attempt.key());
    } else {
      attempts.put(attempt.key(), attempt);
    }
  }

  /** A slice that is simply there has no row. */
  /** As it was last set. */
  Fleet fleet() {
    return fleet;
  }

  private void write(SliceStanding standing) {
    if (standing.condition() == SliceCondition.READY && standing.until() == null) {
      slices.remove(standing.slice());
    } else {
      slices.put(standing.slice(), standing);
    }
  }

  /** A LocalQueue that has used nothing has no row. */
  private void write(DecayedUsage used) {
    if (used.amounts().isEmpty()) {
      localQueueUsage.remove(used.queue());
    } else {
      localQueueUsage.put(used.queue(), used);
    }
  }

  /** A live attempt; null if there is none of that key. */
  @Nullable AttemptRecord attempt(AttemptKey key) {
    return attempts.get(key);
  }

  @Nullable JobRecord job(JobId id) {
    return jobs.get(id);
  }

  int endedJobs() {
    return endedJobs.size();
  }

  /** What a server reads when it begins. */
  StateSnapshot load() {
    return new StateSnapshot(
        lastRoundAt,
        List.copyOf(objects.values()),
        fleet,
        List.copyOf(jobs.values()),
        List.copyOf(attempts.values()),
        List.copyOf(claims.values()),
        List.copyOf(slices.values()),
        List.copyOf(evictions),
        List.copyOf(localQueueUsage.values()));
  }
}
