// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.quota.QueueKey;
import java.time.Instant;

/**
 * What the engine schedules; one per job, and it never changes.
 *
 * @param createdAt by the database clock, when the job was acknowledged; with the id it orders work
 *     of one priority
 */
public record Workload(
    JobId id,
    String name,
    QueueKey queue,
    WorkloadPriority priority,
    Instant createdAt,
    WorkloadShape shape,
    JobLimits limits,
    JobArray array) {}
