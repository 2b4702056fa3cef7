// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

/** Thrown when the database does not answer; the next call may succeed. */
final class UnansweredException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnansweredException() {
    super("the database did not answer");
  }
}
