// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

/** A concurrent transaction came first; nothing was stored, and a repetition may succeed. */
public final class OvertakenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OvertakenException(String detail) {
    super(detail);
  }
}
