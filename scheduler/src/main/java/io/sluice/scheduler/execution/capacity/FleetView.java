// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.capacity;

import io.sluice.admission.state.AdmissionState;
import java.util.function.Function;

/** The fleet as the engine has made it known. */
@FunctionalInterface
public interface FleetView {
  /** Asks the state something small; it must be left as it was. */
  Object ask(Function<AdmissionState, Object> question);
}
