// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

/** Says why pods cannot be isolated, or cannot be run at all, on this machine. */
public final class IsolationException extends Exception {
  private static final long serialVersionUID = 1;

  IsolationException(String reason) {
    super(reason);
  }

  /** Returns the reason, without a period at its end. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
