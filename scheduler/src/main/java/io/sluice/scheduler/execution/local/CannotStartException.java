// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

/** An attempt cannot be started here; the message is one line for the job's owner. */
final class CannotStartException extends Exception {
  private static final long serialVersionUID = 1L;

  CannotStartException(String message) {
    super(message);
  }
}
