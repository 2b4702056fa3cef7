// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

/**
 * The embedded PostgreSQL does not start. The message is one line for the person at the terminal:
 * the error, with the path or program concerned, and if possible the remedy.
 */
public final class PostgresStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PostgresStartException(String message) {
    super(oneLine(message));
  }

  public PostgresStartException(String message, Throwable cause) {
    super(oneLine(message), cause);
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*[\\r\\n]+\\s*", "; ");
  }
}
