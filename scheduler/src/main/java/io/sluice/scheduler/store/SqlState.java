// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import java.sql.SQLException;

/** Classifies failures of the database by SQLSTATE. */
public final class SqlState {
  /** Data exception: a character that PostgreSQL cannot store, a number out of range. */
  private static final String DATA_CLASS = "22";

  private static final String INTEGRITY_CLASS = "23";
  private static final String ROLLED_BACK_CLASS = "40";

  private SqlState() {}

  /** Whether PostgreSQL rolled the transaction back because of a concurrent one. */
  public static boolean isRolledBack(SQLException failure) {
    return String.valueOf(failure.getSQLState()).startsWith(ROLLED_BACK_CLASS);
  }

  /** Whether an SQLSTATE says that a value has no form that can be stored. */
  static boolean isOfValues(String state) {
    return state.startsWith(DATA_CLASS);
  }

  /** Whether the database refuses the values themselves. */
  public static boolean isUnstorable(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    return state.startsWith(DATA_CLASS) || state.startsWith(INTEGRITY_CLASS);
  }

  /** Distinguishes a value that the database refuses from a database that does not answer. */
  static StoreException translated(String failed, SQLException failure) {
    return isUnstorable(failure)
        ? new UnstorableException(failed, failure)
        : new TransientStoreException(failed, failure);
  }
}
