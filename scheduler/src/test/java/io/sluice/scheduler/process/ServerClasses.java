// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import io.sluice.scheduler.postgres.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An archive of the packaged server's classes, read and verified once for all servers that tests
 * start. Reading them takes a fifth of a start.
 */
public final class ServerClasses {
  /** As seen from the directory of any module. */
  public static final Path JAR =
      Path.of("..", "scheduler", "target", "quarkus-app", "quarkus-run.jar");

  private static final Path ARCHIVE = Path.of("..", "scheduler", "target", "tested-server.jsa");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * JVM options for a short life: several servers start at a time, and the optimizing compiler
   * would use more processor time than it saves.
   */
  private static final List<String> SHORT_LIVED =
      List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final List<String> QUIET = List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off");

  private ServerClasses() {}

  private static final class Options {
    static final List<String> ALL = withArchive();
  }

  /** Returns the JVM options of a server; the first call makes the archive if it is absent. */
  public static List<String> options() {
    return Options.ALL;
  }

  private static List<String> withArchive() {
    List<String> options = new ArrayList<>(SHORT_LIVED);
    try {
      FileTime built = Files.getLastModifiedTime(JAR);
      if (Files.notExists(ARCHIVE) || Files.getLastModifiedTime(ARCHIVE).compareTo(built) < 0) {
        Files.deleteIfExists(ARCHIVE);
        write();
      }
    } catch (IOException | SQLException failure) {
      throw new IllegalStateException("no server to start", failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    if (Files.exists(ARCHIVE)) { // otherwise servers start slower
      options.add("-XX:SharedArchiveFile=" + ARCHIVE.toAbsolutePath());
      options.addAll(QUIET);
    }
    return List.copyOf(options);
  }

  /** Starts a server that writes the archive at its end. */
  private static void write() throws IOException, SQLException, InterruptedException {
    Path directory = StartedServer.directory();
    Path out = directory.resolve("out");
    try (TestDatabase database = TestDatabase.migrated()) {
      List<String> command = new ArrayList<>();
      command.add(java());
      command.addAll(SHORT_LIVED);
      command.addAll(QUIET);
      command.add("-XX:ArchiveClassesAtExit=" + ARCHIVE.toAbsolutePath());
      command.addAll(List.of("-jar", JAR.toAbsolutePath().toString(), "--port", "0"));
      command.addAll(List.of("--data", directory.resolve("data").toString()));
      command.addAll(List.of(StartedServer.on(database)));
      Process server =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      Instant deadline = Instant.now().plus(PATIENCE);
      while (server.isAlive()
          && Instant.now().isBefore(deadline)
          && !Files.readString(out).contains("Sluice is ready on ")) {
        Thread.sleep(50);
      }
      server.destroy();
      if (!server.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        server.destroyForcibly().waitFor();
      }
    } finally {
      StartedServer.delete(directory);
    }
  }

  /** Returns the path of the JVM that runs the tests. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
