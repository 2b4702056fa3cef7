// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.job.WorkloadPriority;
import java.time.Instant;

/**
 * A change of a job's priority class after its submission.
 *
 * @param priority priority of the class at that time
 * @param at time of the round that recorded it
 */
public record PriorityChange(String className, WorkloadPriority priority, Instant at) {}
