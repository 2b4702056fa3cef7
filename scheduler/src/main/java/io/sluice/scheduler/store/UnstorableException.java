// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import java.sql.SQLException;

/**
 * The database refused a value that it was given; nothing was written. The same rows are refused
 * again however often they are written.
 */
public final class UnstorableException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final String sqlState;

  UnstorableException(String message, SQLException cause) {
    super(message + ": " + cause.getMessage(), cause);
    this.sqlState = String.valueOf(cause.getSQLState());
  }

  /** Five characters, of class 22 (data exception) or 23 (integrity constraint violation). */
  public String sqlState() {
    return sqlState;
  }

  /** Whether the values themselves are at fault, and not what else is stored. */
  public boolean isOfValues() {
    return SqlState.isOfValues(sqlState);
  }
}
