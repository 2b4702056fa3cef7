// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

/** A case that cannot be run: it contradicts itself, or needs what is not there yet. */
final class UnanswerableCaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnanswerableCaseException(String reason) {
    super(reason);
  }
}
