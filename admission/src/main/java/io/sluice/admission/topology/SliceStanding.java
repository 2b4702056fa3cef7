// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.SliceCondition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a slice that is not ready for all jobs without a time limit.
 *
 * @param keptFor for a ready slice: the rung for which it was granted and is reserved; null if it
 *     is for all jobs
 * @param until for a ready slice: when it returns to its provider unless it is used; for a leaving
 *     slice: when it will be gone, null if it is gone
 */
public record SliceStanding(
    String slice, SliceCondition condition, @Nullable RungKey keptFor, @Nullable Instant until) {}
