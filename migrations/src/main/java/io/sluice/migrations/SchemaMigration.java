// SPDX-License-Identifier: Apache-2.0
package io.sluice.migrations;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Brings a database to the schema of this version. */
public final class SchemaMigration {
  private SchemaMigration() {}

  /**
   * Applies what is missing; several servers may call it at once. A schema of a later version is
   * left as it is: while servers are upgraded one by one, the older ones go on.
   *
   * @return how many migrations were applied
   * @throws SchemaMigrationException if the schema was changed by hand or cannot be changed
   */
  public static int apply(DataSource database) {
    try {
      return Flyway.configure(SchemaMigration.class.getClassLoader())
          .dataSource(database)
          .locations("classpath:db/migration")
          .validateMigrationNaming(true)
          .load()
          .migrate()
          .migrationsExecuted;
    } catch (FlywayException failure) {
      throw new SchemaMigrationException(failure);
    }
  }
}
