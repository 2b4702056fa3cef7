// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/**
 * The PostgreSQL data directory (the cluster, in PostgreSQL's words). One role can log in, the
 * owner of the one database, and it is no superuser. The superuser has no password, and every
 * connection needs one. So it is usable only in single-user mode, which requires write access to
 * the directory.
 */
record Cluster(ServerPrograms programs, CommandRunner runner, PostgresSettings settings) {
  static final String ROLE = "sluice";
  static final String DATABASE = "sluice";
  private static final String SUPERUSER = "postgres";

  /**
   * Creates the cluster if it does not exist.
   *
   * @return the password of the role
   * @throws PostgresStartException if the directory is not a cluster of this major version, or the
   *     programs fail
   */
  String provide() throws IOException {
    Path data = directory().data();
    if (!Files.exists(data)) {
      return create();
    }
    requireVersion(data);
    runner.account().own(data);
    Optional<String> password = new PasswordFile(directory()).read();
    return password.isPresent() ? password.get() : replacePassword();
  }

  /**
   * Creates it under a temporary name, and renames it when complete. The password is stored first.
   */
  private String create() throws IOException {
    String password = PasswordFile.random();
    Path unfinished = directory().unfinished();
    Files.createDirectory(
        unfinished,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    runner.account().own(unfinished);
    initialize(unfinished);
    administer(
        unfinished,
        false,
        "CREATE ROLE "
            + ROLE
            + " LOGIN "
            + (settings.databaseCreation() ? "CREATEDB" : "NOCREATEDB")
            + " PASSWORD '"
            + password
            + "'",
        "CREATE DATABASE " + DATABASE + " OWNER " + ROLE);
    if (settings.durable()) {
      // The steps before did not sync to disk; one sync of everything is faster.
      require("initdb", List.of(programs.initdb(), "--sync-only", "-D", unfinished.toString()), "");
    }
    new PasswordFile(directory()).write(password);
    Files.move(unfinished, directory().data(), StandardCopyOption.ATOMIC_MOVE);
    ServerDirectory.forceEntries(directory().path());
    return password;
  }

  /**
   * The file was deleted, or a crash left it empty. Everyone who can read the directory may do
   * this.
   */
  private String replacePassword() throws IOException {
    String password = PasswordFile.random();
    administer(
        directory().data(),
        settings.durable(),
        "ALTER ROLE " + ROLE + " PASSWORD '" + password + "'");
    new PasswordFile(directory()).write(password);
    return password;
  }

  private void initialize(Path data) throws IOException {
    require(
        "initdb",
        List.of(
            programs.initdb(),
            "-D",
            data.toString(),
            "--username=" + SUPERUSER,
            // Our own pg_hba.conf replaces the one that initdb writes.
            "--auth=reject",
            "--encoding=UTF8",
            "--locale=C",
            "--data-checksums",
            "--no-sync",
            "--no-instructions"),
        "");
  }

  /** Runs statements as superuser while no server runs, through standard input only. */
  private void administer(Path data, boolean durable, String... statements) throws IOException {
    // With -j a statement ends at a semicolon and an empty line.
    String input = String.join(";\n\n", statements) + ";\n\n";
    require(
        "postgres --single",
        List.of(
            programs.postgres(),
            "--single",
            "-j",
            "-c",
            "exit_on_error=true",
            "-c",
            "fsync=" + (durable ? "on" : "off"),
            "-D",
            data.toString(),
            SUPERUSER),
        input);
  }

  private void require(String name, List<String> words, String input) throws IOException {
    CommandRunner.Outcome outcome = runner.run(settings.startLimit(), input, words);
    if (!outcome.succeeded()) {
      throw new PostgresStartException(
          name + " failed in " + directory().path() + ": " + outcome.output().reason());
    }
  }

  private void requireVersion(Path data) throws IOException {
    Path version = data.resolve("PG_VERSION");
    if (!Files.exists(version)) {
      throw new PostgresStartException(
          data + " is no PostgreSQL data directory (it has no PG_VERSION): move it away");
    }
    String found = Files.readString(version).strip();
    String needed = programs.majorVersion();
    if (!found.equals(needed)) {
      throw new PostgresStartException(
          data
              + " was made by PostgreSQL "
              + found
              + ", this is PostgreSQL "
              + needed
              + ": move the data with pg_dump of version "
              + found
              + ", or choose another data directory");
    }
  }

  private ServerDirectory directory() {
    return runner.directory();
  }
}
