// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.estimate;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a waiting job is expected to start.
 *
 * @param earliest its 10th percentile
 * @param median its median
 * @param latest its 90th percentile; null if the job might not start at all
 * @param confidence the stated share of starts within the range, from 0 to 1
 */
public record ExpectedStart(
    Instant earliest, Instant median, @Nullable Instant latest, double confidence) {}
