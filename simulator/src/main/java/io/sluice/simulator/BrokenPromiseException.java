// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

/** Thrown when a run violates a promise. It ends the run. */
final class BrokenPromiseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Promise promise;

  BrokenPromiseException(Promise promise, String message) {
    super(message);
    this.promise = promise;
  }

  BrokenPromiseException(Promise promise, String message, Throwable cause) {
    super(message, cause);
    this.promise = promise;
  }

  Promise promise() {
    return promise;
  }
}
