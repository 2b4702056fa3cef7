// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of a job's time limit after its submission.
 *
 * @param timeLimit the new limit; null: none
 * @param at time of the round that recorded it; no attempt reaches the new limit before
 */
public record LimitChange(@Nullable Duration timeLimit, Instant at) {}
