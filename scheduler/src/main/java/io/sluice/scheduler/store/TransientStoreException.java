// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

/** The database did not answer. The operation may be retried. */
public final class TransientStoreException extends StoreException {
  private static final long serialVersionUID = 1L;

  public TransientStoreException(String message, Throwable cause) {
    super(message + ": " + cause.getMessage(), cause);
  }
}
