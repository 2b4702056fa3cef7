// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import java.time.Duration;
import java.time.Instant;

/**
 * The time by which a job counts as queued earlier, among pending jobs of its priority.
 *
 * @param time the head start
 * @param by caller who gave it
 * @param reason reason in words
 * @param since time of the round that recorded it
 */
public record HeadStart(Duration time, String by, String reason, Instant since) {}
