// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.job.WorkloadPriority;
import java.time.Instant;

/**
 * That a job was given another priority class than the one that it was submitted with.
 *
 * @param priority what the class meant then
 * @param at time of the round that recorded it
 */
public record PriorityChange(String className, WorkloadPriority priority, Instant at) {}
