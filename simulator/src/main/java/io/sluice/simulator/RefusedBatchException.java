// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

/** Thrown when the database refuses a batch; nothing was written. */
final class RefusedBatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RefusedBatchException(long sequence) {
    super("batch " + sequence + " was refused");
  }
}
