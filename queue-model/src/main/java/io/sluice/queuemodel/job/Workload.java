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
   */
  public record Submitted(
      Instant at, String by, @Nullable Instant behindSince, @Nullable Duration headStart) {
    /** Of a workload that stands by its age. */
    public Submitted(Instant at, String by) {
      this(at, by, null, null);
    }
  }

  /** The same at another place: behind those who were there then; null: by its age. */
  public Workload withBehindSince(@Nullable Instant time) {
    Submitted placed = new Submitted(submitted.at(), submitted.by(), time, submitted.headStart());
    return new Workload(id, name, queue, priority, placed, shape, limits, array);
  }

  /** The same with another head start; null: with none. */
  public Workload withHeadStart(@Nullable Duration headStart) {
    Submitted placed =
        new Submitted(submitted.at(), submitted.by(), submitted.behindSince(), headStart);
    return new Workload(id, name, queue, priority, placed, shape, limits, array);
  }

  /** The time by which it stands among those of its priority that wait. */
  public Instant standsAt() {
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
