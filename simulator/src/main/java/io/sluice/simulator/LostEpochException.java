// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

/** Thrown when another server leads; nothing was written. */
final class LostEpochException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LostEpochException(long own, long leading) {
    super("epoch " + own + " has lost the lead to " + leading);
  }
}
