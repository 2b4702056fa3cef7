// SPDX-License-Identifier: Apache-2.0
package io.sluice.migrations;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/** Migrates a database to the schema of this version. */
public final class SchemaMigration {
  private static final String LOCATION = "classpath:db/migration";

  private SchemaMigration() {}

  /**
   * Applies what is missing; several servers may call it at once. A schema of a later version is
   * left as it is: while servers are upgraded one by one, the older ones go on.
   *
   * @return how many migrations were applied
   * @throws SchemaMigrationException if the schema was changed by hand or cannot be changed
   */
  public static int apply(DataSource database) {
    if (SchemaMark.isCurrent(database)) {
      return 0;
    }
    int applied = migrate(database, MigrationVersion.LATEST);
    SchemaMark.write(database);
    return applied;
  }

  /**
   * Brings an empty database to the schema of an earlier version, that of a migration.
   *
   * @return how many migrations were applied
   * @throws SchemaMigrationException if the schema cannot be changed
   */
  public static int applyUpTo(DataSource database, String version) {
    return migrate(database, MigrationVersion.fromVersion(version));
  }

  private static int migrate(DataSource database, MigrationVersion target) {
    try {
      return configured(database).target(target).load().migrate().migrationsExecuted;
    } catch (FlywayException failure) {
      throw new SchemaMigrationException(failure);
    }
  }

  /**
   * The versions of the migrations that were applied to a database, in their order.
   *
   * @throws SchemaMigrationException if the database does not say
   */
  public static List<String> applied(DataSource database) {
    try {
      return versions(configured(database).load().info().applied());
    } catch (FlywayException failure) {
      throw new SchemaMigrationException(failure);
    }
  }

  /**
   * The versions of the migrations that this version has or the database says it had, in their
   * order.
   *
   * @throws SchemaMigrationException if the database does not answer
   */
  public static List<String> known(DataSource database) {
    try {
      return versions(configured(database).load().info().all());
    } catch (FlywayException failure) {
      throw new SchemaMigrationException(failure);
    }
  }

  private static List<String> versions(MigrationInfo[] migrations) {
    return Arrays.stream(migrations)
        .map(MigrationInfo::getVersion)
        .filter(Objects::nonNull)
        .sorted()
        .map(MigrationVersion::toString)
        .distinct()
        .toList();
  }

  private static FluentConfiguration configured(DataSource database) {
    return Flyway.configure(SchemaMigration.class.getClassLoader())
        .dataSource(database)
        .locations(LOCATION)
        .validateMigrationNaming(true);
  }
}
