// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.capacity;

import io.sluice.admission.state.AdmissionState;
import java.util.function.Function;

/** Read access to the engine's committed state, for its fleet. */
@FunctionalInterface
public interface FleetView {
  /** Evaluates a short function of the state, which must not change it. */
  Object ask(Function<AdmissionState, Object> question);
}
