// SPDX-License-Identifier: Apache-2.0
package io.sluice.migrations;

/** Thrown when the database cannot be migrated to the schema of this version. */
public final class SchemaMigrationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SchemaMigrationException(Throwable cause) {
    super("cannot bring the database to this version's schema: " + inOneLine(cause), cause);
  }

  /** Flyway writes paragraphs, with the database's own words somewhere below. */
  private static String inOneLine(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = firstLine(failure);
    String reason = firstLine(root);
    return message.contains(reason) ? message : message + ": " + reason;
  }

  private static String firstLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).strip().lines().findFirst().orElse("");
  }
}
