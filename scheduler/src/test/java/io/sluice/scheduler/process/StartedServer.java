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

/** The server as it was packaged, in a process of its own. */
public final class StartedServer implements AutoCloseable {
  /** Generous: reached only if something hangs. */
  public static final Duration PATIENCE = Duration.ofMinutes(5);

  /**
   * A server of a test lives for seconds, and several start at a time: the optimizing compiler
   * would take more processor time than it saves.
   */
  private static final List<String> SHORT_LIVED =
      List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final Path JAR = Path.of("target", "quarkus-app", "quarkus-run.jar");

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

  /** Options that have the server use a database of a test's own. */
  public static String[] on(TestDatabase database) {
    return new String[] {"--database", url(database)};
  }

  static String url(TestDatabase database) {
    return database.jdbcUrl()
        + (database.jdbcUrl().contains("?") ? "&" : "?")
        + "user=%s&password=%s".formatted(database.user(), database.password());
  }

  /** Starts a server on a directory, and does not wait until it is ready. */
  static StartedServer begin(Path data, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(SHORT_LIVED);
    command.addAll(List.of("-jar", JAR.toAbsolutePath().toString(), "--data", data.toString()));
    command.addAll(List.of(options));
    Path printed = Files.createTempDirectory("sluice-printed-");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(printed.resolve("out").toFile())
            .redirectError(printed.resolve("err").toFile())
            .start();
    return new StartedServer(process, data, printed);
  }

  /** Starts a server on a directory and a free port, and waits until it is ready. */
  public static StartedServer start(Path data, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("--port", "0"));
    all.addAll(List.of(options));
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

  /** A client of this server. */
  public Caller caller() throws IOException {
    Path address = data.resolve("server.json");
    return new Caller(
        new ObjectMapper().readTree(address.toFile()).path("url").asText(),
        Files.readString(data.resolve("token")).strip());
  }

  /** Waits a moment for one that is being killed. */
  boolean isAlive() {
    try {
      return !process.waitFor(5, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return process.isAlive();
    }
  }

  /** What it printed so far. */
  String out() throws IOException {
    return Files.readString(printed.resolve("out"));
  }

  /** What it complained of so far. */
  String err() throws IOException {
    return Files.readString(printed.resolve("err"));
  }

  /** Waits for its end. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the server does not end");
    }
    return process.exitValue();
  }

  /** Asks it to end, as a terminal or a service manager does. */
  void terminate() {
    process.destroy();
  }

  /** Ends it as a failure of the machine would. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    exitCode();
  }

  /** The most memory that it has had so far, in MiB, as its machine counts it. */
  long mostMebibytes() throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
        .findFirst()
        .orElseThrow();
  }

  /** How long processors have worked for it so far. */
  Duration processorTime() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  /** Has it stand still between two instructions, wherever that is. */
  void pause() throws IOException {
    Signals.send("STOP", process.pid());
  }

  /** Has it go on, as if no time had passed. */
  void goOn() throws IOException {
    Signals.send("CONT", process.pid());
  }

  /** Has it end and waits for that. */
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
