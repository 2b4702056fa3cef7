// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import io.sluice.cli.client.ServerAddress;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server that the command starts for a load and ends after it: with the simulated executor, and a
 * durable embedded PostgreSQL in a temporary directory.
 */
final class OwnServer implements AutoCloseable {
  private static final Duration END_NOTICED = Duration.ofMillis(500);
  private static final Duration DATABASE_PATIENCE = Duration.ofSeconds(10);
  private static final int HOSTS = 4;
  private static final String IN_MEMORY = "tmpfs";

  private final Path directory;
  private final ServerProcess process;
  private final ServerClient client;

  private OwnServer(Path directory, ServerProcess process, ServerClient client) {
    this.directory = directory;
    this.process = process;
    this.client = client;
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param interruption ends the process if this command is interrupted
   */
  static OwnServer start(Load load, Interruption interruption)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("sluice-bench-").toRealPath();
    ServerProcess process = null;
    try {
      if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
        // The account that runs the database must pass through.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
      }
      Path fleet = Files.writeString(directory.resolve("fleet.yaml"), fleet(load));
      process =
          ServerProcess.launch(
              new ServerProcess.Launch(
                  directory.resolve("data"), fleet, directory.resolve("server.out"), true));
      interruption.lastStep(process::requestEnd);
      ServerAddress address = process.awaitAddress();
      return new OwnServer(directory, process, new ServerClient(address));
    } catch (IOException | RuntimeException | InterruptedException failed) {
      if (process != null) {
        process.end();
      }
      delete(directory);
      throw failed;
    }
  }

  /** Returns a fleet with as many CPUs as the nominal quota of all queues. */
  static String fleet(Load load) {
    long nominal = load.clusterQueue().nominalCpu() * load.clusterQueues();
    long largest = load.classes().stream().mapToLong(of -> of.requestCpu()).max().orElse(1);
    long each = Math.max(largest, -Math.floorDiv(-nominal, HOSTS));
    return """
    apiVersion: sluice.io/v1
    kind: Fleet
    metadata: {name: %s}
    spec:
      executor: simulated
      hosts: [{name: cpu, count: %d, capacity: {cpu: %d}}]
    """
        .formatted(load.name(), HOSTS, each);
  }

  ServerClient client() {
    return client;
  }

  Path data() {
    return directory.resolve("data");
  }

  /** Returns the type of the file system that has the database; null: unknown. */
  @Nullable String fileSystem() {
    try {
      return Files.getFileStore(directory).type();
    } catch (IOException unknown) {
      return null;
    }
  }

  /** Whether the database is in memory, where a commit costs less than on a disk. */
  boolean isInMemory() {
    return IN_MEMORY.equals(fileSystem());
  }

  /** Returns why the server has ended; null: it runs. */
  @Nullable String endReason() throws InterruptedException {
    Integer code = process.exitCode(END_NOTICED);
    return code == null ? null : "the server ended with exit code %d%s".formatted(code, lastLine());
  }

  private String lastLine() {
    try {
      List<String> printed = process.printed(1);
      return printed.isEmpty() ? "" : "; its last line is: " + printed.get(0);
    } catch (IOException unreadable) {
      return "";
    }
  }

  /**
   * Ends the server and its database, and deletes their directory. If that fails, it only warns:
   * the results of the run are worth more.
   */
  @Override
  public void close() {
    Long database = ProcessSampler.databasePid(data());
    try {
      process.end();
      if (database != null) {
        endDatabase(database);
      }
      delete(directory);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (IOException | UncheckedIOException failed) {
      System.err.println("sluice: warning: cannot delete " + directory + ": " + failed);
    }
  }

  /** Ends a database that a killed server has left. */
  private void endDatabase(long pid) throws InterruptedException {
    Optional<ProcessHandle> left =
        ProcessHandle.of(pid)
            .filter(
                process -> process.info().commandLine().orElse("").contains(directory.toString()));
    if (left.isPresent() && left.get().destroy()) {
      try {
        left.get().onExit().get(DATABASE_PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException remains) {
        left.get().destroyForcibly();
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
