// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.backup;

/** A backup cannot be written or restored; the message is one line for people. */
public final class BackupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BackupException(String message) {
    super(message);
  }

  BackupException(String message, Throwable cause) {
    super(message + ": " + cause.getMessage(), cause);
  }
}
