// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import java.time.Instant;

/**
 * That nothing of a job is admitted until it is released.
 *
 * @param by who held it
 * @param since time of the round that recorded it
 */
public record Hold(String by, Instant since) {}
