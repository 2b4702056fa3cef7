// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import java.sql.SQLException;

/**
 * The database refused a value; nothing was written. A retry with the same rows is refused again.
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

  /** Whether the values themselves are at fault, rather than a conflict with other rows. */
  public boolean isOfValues() {
    return SqlState.isOfValues(sqlState);
  }
}
