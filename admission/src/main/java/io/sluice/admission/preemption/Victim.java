// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preemption;

import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.event.PreemptionReason;

/** An attempt that must go, and why it may be made to. */
public record Victim(Attempt attempt, PreemptionReason reason) {}
