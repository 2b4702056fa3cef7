// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import java.sql.Connection;
import org.postgresql.ds.PGSimpleDataSource;

/** A database whose connections fail with an out-of-memory error. */
final class FailingDatabase extends PGSimpleDataSource {
  private static final long serialVersionUID = 1L;

  @Override
  public Connection getConnection() {
    throw new OutOfMemoryError("no room for a connection");
  }
}
