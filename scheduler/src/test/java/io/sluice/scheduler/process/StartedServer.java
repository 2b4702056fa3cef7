// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.scheduler.kube.Signals;
import io.sluice.scheduler.postgres.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The packaged server in a process of its own. */
public final class StartedServer implements AutoCloseable {
  /** Generous: reached only if something hangs. */
  public static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Process process;
  private final Path data;
  private final Path printed;

  private StartedServer(Process process, Path data, Path printed) {
    this.process = process;
    this.data = data;
    this.printed = printed;
  }

  /** A temporary directory that the accounts of the database and of jobs may pass through. */
  public static Path directory() throws IOException {
    Path directory = Files.createTempDirectory("sluice-server-").toRealPath();
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    return directory;
  }

  public static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns options for a test's own database. */
  public static String[] on(TestDatabase database) {
    try {
      Path password = Files.createTempFile("sluice-password-", "");
      password.toFile().deleteOnExit();
      Files.writeString(password, database.password());
      return new String[] {
        "--database", withUser(database), "--database-password-file", password.toString()
      };
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns the address of a test's own database, with the password. */
  public static String url(TestDatabase database) {
    return withUser(database) + "&password=" + database.password();
  }

  private static String withUser(TestDatabase database) {
    String parameters = database.jdbcUrl().contains("?") ? "&" : "?";
    return database.jdbcUrl() + parameters + "user=" + database.user();
  }

  /** Starts a server on a directory, without waiting until it is ready. */
  static StartedServer begin(Path data, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ServerClasses.java());
    command.addAll(ServerClasses.options());
    command.addAll(List.of("-jar", ServerClasses.JAR.toAbsolutePath().toString()));
    command.addAll(List.of("--data", data.toString()));
    command.addAll(List.of(options));
    Path printed = Files.createTempDirectory("sluice-printed-");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(printed.resolve("out").toFile())
            .redirectError(printed.resolve("err").toFile())
            .start();
    return new StartedServer(process, data, printed);
  }

  /**
   * Starts a server on a directory, and waits until it is ready. It listens on a free port, unless
   * the options name one.
   */
  public static StartedServer start(Path data, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    if (!all.contains("--port")) {
      all.addAll(List.of("--port", "0"));
    }
    StartedServer server = begin(data, all.toArray(String[]::new));
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!server.out().contains("Sluice is ready on ")) {
      if (!server.process.isAlive() || Instant.now().isAfter(deadline)) {
        String err = server.err();
        server.close();
        throw new AssertionError("the server did not start: " + err);
      }
      Thread.sleep(50);
    }
    return server;
  }

  /** Returns a client of this server. */
  public Caller caller() throws IOException {
    Path address = data.resolve("server.json");
    return new Caller(
        new ObjectMapper().readTree(address.toFile()).path("url").asText(),
        Files.readString(data.resolve("token")).strip());
  }

  /** Whether it runs; waits a moment if it is being killed. */
  boolean isAlive() {
    try {
      return !process.waitFor(5, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return process.isAlive();
    }
  }

  /** Returns its standard output so far. */
  String out() throws IOException {
    return Files.readString(printed.resolve("out"));
  }

  /** Returns its standard error so far. */
  String err() throws IOException {
    return Files.readString(printed.resolve("err"));
  }

  /** Waits for its end and returns the exit code. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the server does not end");
    }
    return process.exitValue();
  }

  /** Sends SIGTERM, as a terminal or a service manager does. */
  void terminate() {
    process.destroy();
  }

  /** Kills it, as a failure of the machine would. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    exitCode();
  }

  long pid() {
    return process.pid();
  }

  /** Returns its peak memory in MiB, as the operating system counts it. */
  long mostMebibytes() throws IOException {
    return status("VmHWM:");
  }

  /** Returns its present memory in MiB, as the operating system counts it. */
  long mebibytes() throws IOException {
    return status("VmRSS:");
  }

  private long status(String field) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
        .filter(line -> line.startsWith(field))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
        .findFirst()
        .orElseThrow();
  }

  /** Returns its processor time so far. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  /** Stops the process at an arbitrary instruction (SIGSTOP). */
  void pause() throws IOException {
    Signals.send("STOP", process.pid());
  }

  /** Continues the process (SIGCONT). */
  void goOn() throws IOException {
    Signals.send("CONT", process.pid());
  }

  /** Ends it and waits. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      delete(printed);
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
