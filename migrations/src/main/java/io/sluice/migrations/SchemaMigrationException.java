// SPDX-License-Identifier: Apache-2.0
package io.sluice.migrations;

/** The database could not be brought to the schema of this version. */
public final class SchemaMigrationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SchemaMigrationException(Throwable cause) {
    super("cannot bring the database to this version's schema: " + cause.getMessage(), cause);
  }
}
