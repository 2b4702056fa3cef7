// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.simulator.fault.FaultKind;

/** Thrown to crash a simulated server at this point. */
final class ServerDiedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ServerDiedException(FaultKind how) {
    super(how.name());
  }
}
