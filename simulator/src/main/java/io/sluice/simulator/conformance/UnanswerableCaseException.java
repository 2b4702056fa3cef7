// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

/** Thrown for a case that cannot be run: it is contradictory, or needs an unsupported feature. */
final class UnanswerableCaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnanswerableCaseException(String reason) {
    super(reason);
  }
}
