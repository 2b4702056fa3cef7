// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

/** The database did not answer; the next call may be answered. */
final class UnansweredException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnansweredException() {
    super("the database did not answer");
  }
}
