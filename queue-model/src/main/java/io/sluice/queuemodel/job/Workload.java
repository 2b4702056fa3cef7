// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.quota.QueueKey;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the engine schedules; one per job. Nothing of it changes but its priority, its place and its
 * time limit.
 *
 * @param submitted with the id its time orders work of one priority
 */
public record Workload(
    JobId id,
    String name,
    QueueKey queue,
    WorkloadPriority priority,
    Submitted submitted,
    WorkloadShape shape,
    JobLimits limits,
    JobArray array) {
  /**
   * That a job was acknowledged.
   *
   * @param at by the database clock
   * @param by who submitted it; empty if that is not known
   * @param behindSince when it went behind those of its priority, because it did not start in time;
   *     null: it stands by its age
   * @param headStart how much earlier it counts as queued among those of its priority; null: not
   * @param rankDelay how much later it counts as queued among those of its priority, because of its
   *     time limit; zero or more
   */
  public record Submitted(
      Instant at,
      String by,
      @Nullable Instant behindSince,
      @Nullable Duration headStart,
      Duration rankDelay) {
    /** Of a workload that stands by its age. */
    public Submitted(Instant at, String by) {
      this(at, by, null, null, Duration.ZERO);
    }
  }

  /** The same at another place: behind those who were there then; null: by its age. */
  public Workload withBehindSince(@Nullable Instant time) {
    Submitted placed =
        new Submitted(
            submitted.at(), submitted.by(), time, submitted.headStart(), submitted.rankDelay());
    return new Workload(id, name, queue, priority, placed, shape, limits, array);
  }

  /** The same with another head start; null: with none. */
  public Workload withHeadStart(@Nullable Duration headStart) {
    Submitted placed =
        new Submitted(
            submitted.at(),
            submitted.by(),
            submitted.behindSince(),
            headStart,
            submitted.rankDelay());
    return new Workload(id, name, queue, priority, placed, shape, limits, array);
  }

  /** The same with another rank delay. */
  public Workload withRankDelay(Duration rankDelay) {
    Submitted placed =
        new Submitted(
            submitted.at(),
            submitted.by(),
            submitted.behindSince(),
            submitted.headStart(),
            rankDelay);
    return new Workload(id, name, queue, priority, placed, shape, limits, array);
  }

  /** The time by which it stands among those of its priority that wait. */
  public Instant standsAt() {
    Duration rankDelay = submitted.rankDelay();
    return rankDelay.isZero() ? standsByAgeAt() : standsByAgeAt().plus(rankDelay);
  }

  /** The time by which it would stand if its time limit did not count. */
  public Instant standsByAgeAt() {
    Duration headStart = submitted.headStart();
    return headStart == null ? queuedAt() : queuedAt().minus(headStart);
  }

  /** Since when it has waited in its place, whatever head start it has. */
  public Instant queuedAt() {
    Instant behindSince = submitted.behindSince();
    return behindSince == null ? submitted.at() : behindSince;
  }

  /** The same with another priority. */
  public Workload withPriority(WorkloadPriority other) {
    return new Workload(id, name, queue, other, submitted, shape, limits, array);
  }

  /** The same with another time limit; null: none. */
  public Workload withTimeLimit(@Nullable Duration limit) {
    return new Workload(
        id, name, queue, priority, submitted, shape, limits.withTimeLimit(limit), array);
  }

  /** The same with other limits. */
  public Workload withLimits(JobLimits other) {
    return new Workload(id, name, queue, priority, submitted, shape, other, array);
  }

  /** By the database clock, when the job was acknowledged. */
  public Instant createdAt() {
    return submitted.at();
  }

  /** Who submitted it; empty if that is not known. */
  public String submitter() {
    return submitted.by();
  }
}
