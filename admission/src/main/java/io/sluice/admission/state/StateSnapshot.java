// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.DecayedUsage;
import io.sluice.admission.state.record.Eviction;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.quota.QuotaObject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The complete state of the engine as values in a fixed order. States with equal snapshots make
 * equal decisions.
 *
 * @param lastRoundAt time of the last journaled round; null if there was none
 * @param objects quota objects, by key
 * @param jobs jobs that have not ended, by id
 * @param attempts attempts that have not ended, by key
 * @param claims claims, by holder
 * @param slices slices with a standing other than the default, by name
 * @param evictions evictions since the last change from outside, by victim and preemptor
 * @param localQueueUsage decayed usage of each LocalQueue where it counts, by key
 */
public record StateSnapshot(
    @Nullable Instant lastRoundAt,
    List<QuotaObject> objects,
    Fleet fleet,
    List<JobRecord> jobs,
    List<AttemptRecord> attempts,
    List<Claim> claims,
    List<SliceStanding> slices,
    List<Eviction> evictions,
    List<DecayedUsage> localQueueUsage) {
  public StateSnapshot {
    objects = List.copyOf(objects);
    jobs = List.copyOf(jobs);
    attempts = List.copyOf(attempts);
    claims = List.copyOf(claims);
    slices = List.copyOf(slices);
    evictions = List.copyOf(evictions);
    localQueueUsage = List.copyOf(localQueueUsage);
  }

  /** Returns a copy with other jobs and attempts. */
  public StateSnapshot with(List<JobRecord> otherJobs, List<AttemptRecord> otherAttempts) {
    return new StateSnapshot(
        lastRoundAt,
        objects,
        fleet,
        otherJobs,
        otherAttempts,
        claims,
        slices,
        evictions,
        localQueueUsage);
  }

  /** Returns a copy with other claims. */
  public StateSnapshot withClaims(List<Claim> otherClaims) {
    return new StateSnapshot(
        lastRoundAt,
        objects,
        fleet,
        jobs,
        attempts,
        otherClaims,
        slices,
        evictions,
        localQueueUsage);
  }

  /** Returns a snapshot of a state without jobs, attempts and claims. */
  public static StateSnapshot withoutJobs(AdmissionState state) {
    return of(state, List.of(), List.of()).withClaims(List.of());
  }

  static StateSnapshot of(
      AdmissionState state, List<JobRecord> jobs, List<AttemptRecord> attempts) {
    return new StateSnapshot(
        state.lastRoundAt(),
        List.copyOf(state.objects().all()),
        state.fleet(),
        jobs,
        attempts,
        state.claims().stream().map(ClaimState::claim).toList(),
        List.copyOf(state.slices().standings().all()),
        state.evictions().all(),
        state.localQueueUsage().all());
  }

  /** Returns the snapshot before the first event. */
  public static StateSnapshot empty() {
    return new StateSnapshot(
        null,
        List.of(),
        Fleet.EMPTY,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }
}
