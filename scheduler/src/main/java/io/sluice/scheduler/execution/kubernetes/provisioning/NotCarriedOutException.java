// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

/** A request that a cluster did not carry out; its message says why. */
public final class NotCarriedOutException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotCarriedOutException(String message, Throwable cause) {
    super(message, cause);
  }
}
