// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.sluice.migrations.SchemaMigrationException;
import io.sluice.scheduler.backup.BackupException;
import io.sluice.scheduler.backup.BackupRestore;
import io.sluice.scheduler.config.DataDirectory;
import io.sluice.scheduler.config.StartException;
import io.sluice.scheduler.postgres.EmbeddedPostgres;
import io.sluice.scheduler.postgres.PostgresSettings;
import io.sluice.scheduler.postgres.PostgresStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code sluice restore}: its options and the restore itself. No server runs meanwhile.
 */
@Command(
    name = "sluice restore",
    description = {
      "Restores a backup into a new data directory or an empty database.",
      "",
      "The result is a new instance: attempts that were running count as lost and run again. The"
          + " original instance is not touched."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    version = "sluice 0.1.0",
    usageHelpAutoWidth = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class RestoreCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "Backup file, made by ./sluice backup.")
  Path file;

  @ArgGroup(multiplicity = "1")
  Target target;

  /** The target of the restore: a data directory or an external database. */
  static final class Target {
    @Option(
        names = "--data",
        paramLabel = "DIR",
        description = "Data directory to create. It must be empty or not exist.")
    @Nullable Path data;

    @Option(
        names = "--database",
        paramLabel = "JDBC_URL",
        description =
            "URL of an empty database of an external PostgreSQL, version 14 or newer, such "
                + "as jdbc:postgresql://host/name?user=u. It must not have a password.")
    @Nullable String database;
  }

  @Mixin DatabasePasswordOption databasePassword;

  @Override
  public Integer call() {
    try (BackupRestore restore = BackupRestore.open(file)) {
      BackupRestore.Outcome outcome =
          target.data != null ? intoDirectory(restore, target.data) : intoDatabase(restore);
      System.out.println(
          "restored %d rows of %d tables, as of %s"
              .formatted(outcome.rows(), outcome.tables(), outcome.writtenAt()));
      return 0;
    } catch (BackupException
        | StartException
        | PostgresStartException
        | SchemaMigrationException failure) {
      System.err.println("sluice: " + failure.getMessage());
      return 1;
    }
  }

  private BackupRestore.Outcome intoDatabase(BackupRestore restore) {
    ExternalDatabase database =
        ExternalDatabase.of(target.database, databasePassword.file, System.getenv());
    return restore.into(Objects.requireNonNull(database).source(), System.out::println);
  }

  private static BackupRestore.Outcome intoDirectory(BackupRestore restore, Path path) {
    requireEmpty(path);
    boolean whole = false;
    try (DataDirectory directory = DataDirectory.takeUnfinished(path)) {
      BackupRestore.Outcome outcome;
      try (EmbeddedPostgres postgres =
          EmbeddedPostgres.start(directory.postgres(), PostgresSettings.forKeptData())) {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(postgres.jdbcUrl());
        database.setUser(postgres.user());
        database.setPassword(postgres.password());
        outcome = restore.into(database, System.out::println);
      }
      directory.finish();
      whole = true;
      return outcome;
    } finally {
      if (!whole) {
        deleteContent(path);
      }
    }
  }

  private static void requireEmpty(Path path) {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> entries = Files.list(path)) {
      List<Path> some = entries.limit(1).toList();
      if (!some.isEmpty()) {
        throw new StartException(
            "the data directory %s is not empty: it has %s; give one that does not exist"
                .formatted(path, some.get(0).getFileName()));
      }
    } catch (IOException failure) {
      throw new StartException("cannot read the data directory " + path + ": " + failure);
    }
  }

  /** Deletes the files that a failed restore created; the directory was empty before. */
  private static void deleteContent(Path path) {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path made : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!made.equals(path)) {
          Files.deleteIfExists(made);
        }
      }
    } catch (IOException failure) {
      System.err.println("sluice: delete " + path + " by hand: " + failure);
    }
  }
}
