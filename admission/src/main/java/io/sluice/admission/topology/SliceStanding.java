// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.SliceCondition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is to be known of a slice that is not simply there for everybody.
 *
 * @param keptFor of one that is ready: for whose rung it came, and for whom it is kept; null: for
 *     everybody
 * @param until of one that is ready: when it goes back to its provider unless somebody uses it; of
 *     one that leaves: when it will be gone, null if it is
 */
public record SliceStanding(
    String slice, SliceCondition condition, @Nullable RungKey keptFor, @Nullable Instant until) {}
