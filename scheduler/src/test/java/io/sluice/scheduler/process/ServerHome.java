// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import io.sluice.scheduler.postgres.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A test's own database and data directory, on which servers start one after another. */
public final class ServerHome implements AutoCloseable {
  private final TestDatabase database = TestDatabase.migrated();
  private final Path directory = StartedServer.directory();
  private final List<String> options = new ArrayList<>();

  ServerHome() throws SQLException, IOException {
    options.addAll(List.of(StartedServer.on(database)));
  }

  /** Creates a home for servers with a fleet. */
  public static ServerHome of(String fleet) throws SQLException, IOException {
    return new ServerHome().file("--fleet", "fleet.yaml", fleet);
  }

  /** Passes a file to every server that starts here. */
  ServerHome file(String option, String name, String text) throws IOException {
    Path file = Files.writeString(directory.resolve(name), text);
    options.addAll(List.of(option, file.toString()));
    if (option.equals("--tokens")) { // without root, jobs of the callers cannot be isolated
      options.add("--trust-callers");
    }
    return this;
  }

  /**
   * Starts a server.
   *
   * @param more options for this server only
   */
  public StartedServer start(String... more) throws Exception {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of(more));
    return StartedServer.start(data(), all.toArray(String[]::new));
  }

  /** Starts a server as {@link StartedServer#begin} does, on any free port. */
  StartedServer begin(String... more) throws IOException {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("--port", "0"));
    all.addAll(List.of(more));
    return StartedServer.begin(data(), all.toArray(String[]::new));
  }

  /** Starts a server on the cluster of a kubeconfig. */
  StartedServer startOn(Path kubeconfig) throws Exception {
    return start("--kubeconfig", kubeconfig.toString());
  }

  /** Starts another server on the same database, with its own data directory. */
  public StartedServer startBeside(String name, String... more) throws Exception {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of(more));
    return StartedServer.start(directory.resolve(name), all.toArray(String[]::new));
  }

  /** Returns the data directory. */
  Path data() {
    return directory.resolve("data");
  }

  TestDatabase database() {
    return database;
  }

  /** The servers must have ended. */
  @Override
  public void close() throws SQLException {
    database.close();
    StartedServer.delete(directory);
  }
}
