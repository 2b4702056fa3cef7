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
 * All that the engine remembers, as values in a fixed order: two states that give equal snapshots
 * decide alike from there on.
 *
 * @param lastRoundAt time of the last round that was journaled; null: there was none
 * @param objects by key
 * @param jobs those that have not ended, by id
 * @param attempts those that have not ended, by key
 * @param claims by holder
 * @param slices those that are not simply there, by name
 * @param evictions since something last changed from outside, by victim and preemptor
 * @param localQueueUsage what each LocalQueue has used of late, where that counts, by key
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

  /** The same with other jobs and attempts. */
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

  /** The same with other claims. */
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

  /** All that a state remembers beside jobs, attempts and claims. */
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

  /** The state before the first event. */
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
