// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preemption;

import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.event.PreemptionReason;

/** An attempt to preempt, with the reason that permits it. */
public record Victim(Attempt attempt, PreemptionReason reason) {}
