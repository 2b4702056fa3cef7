// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.Claim;

/**
 * A claim, its holder, and the claimed room as it is counted.
 *
 * @param usage of the holder's queue, once it is admitted
 */
public record ClaimState(Claim claim, JobEntry job, Usage usage) {}
