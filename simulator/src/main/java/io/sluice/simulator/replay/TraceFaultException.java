// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import java.io.IOException;

/** A trace cannot be replayed. The message names the file, the line, the field and the value. */
public final class TraceFaultException extends IOException {
  private static final long serialVersionUID = 1L;

  TraceFaultException(String message) {
    super(message);
  }
}
