// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import java.time.Duration;
import java.time.Instant;

/**
 * That a job counts as queued earlier than it was, among those of its priority that wait.
 *
 * @param time how much earlier
 * @param by on whose behalf
 * @param reason for people
 * @param since time of the round that recorded it
 */
public record HeadStart(Duration time, String by, String reason, Instant since) {}
