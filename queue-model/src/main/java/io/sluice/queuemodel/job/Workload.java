// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.quota.QueueKey;
import java.time.Instant;

/**
 * What the engine schedules; one per job. Nothing of it changes but its priority.
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
   */
  public record Submitted(Instant at, String by) {}

  /** The same with another priority. */
  public Workload withPriority(WorkloadPriority other) {
    return new Workload(id, name, queue, other, submitted, shape, limits, array);
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
