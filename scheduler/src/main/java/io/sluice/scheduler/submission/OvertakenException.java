// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

/** Another transaction came first; nothing was stored, and the same may succeed when repeated. */
public final class OvertakenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OvertakenException(String detail) {
    super(detail);
  }
}
