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
 * The data directory. One role can log in, the owner of the one database, and it is no superuser.
 * The superuser has no password, and no connection is let in without one: it exists only in
 * single-user mode, which takes the right to write in the directory.
 */
record Cluster(ServerPrograms programs, CommandRunner runner, PostgresSettings settings) {
  static final String ROLE = "sluice";
  static final String DATABASE = "sluice";
  private static final String SUPERUSER = "postgres";

  /**
   * Makes the cluster unless it is there.
   *
   * @return the password of the role
   * @throws PostgresStartException if what is there is no cluster of this major version, or the
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

  /** Under another name until it is complete. The password is stored before it is needed. */
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
      // Both steps before leave it to this one, which is faster.
      require("initdb", List.of(programs.initdb(), "--sync-only", "-D", unfinished.toString()), "");
    }
    new PasswordFile(directory()).write(password);
    Files.move(unfinished, directory().data(), StandardCopyOption.ATOMIC_MOVE);
    ServerDirectory.forceEntries(directory().path());
    return password;
  }

  /** The file is lost, or a crash has left it empty. Whoever can read the directory may do this. */
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
            // Our own pg_hba.conf replaces the one made by this.
            "--auth=reject",
            "--encoding=UTF8",
            "--locale=C",
            "--data-checksums",
            "--no-sync",
            "--no-instructions"),
        "");
  }

  /** Runs statements as superuser while no server runs. They go through standard input only. */
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
