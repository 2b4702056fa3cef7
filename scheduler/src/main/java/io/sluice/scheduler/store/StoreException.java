// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

/** The database failed to run an operation. If that was a commit, its outcome may be unknown. */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }

  public StoreException(String message) {
    super(message);
  }
}
