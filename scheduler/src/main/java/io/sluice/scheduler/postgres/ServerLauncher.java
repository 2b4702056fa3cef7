// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntSupplier;

/** Starts and stops the server of a complete cluster. */
record ServerLauncher(ServerPrograms programs, CommandRunner runner, PostgresSettings settings) {
  private static final int ATTEMPTS_MAX = 5;
  private static final long LOG_BYTES_MAX = 1024 * 1024;

  /** Lets pg_ctl time out first: its message is the better one. */
  private static final Duration PG_CTL_MARGIN = Duration.ofSeconds(10);

  record Running(ServerProcess process, int port) {}

  /**
   * Stops the server of an earlier run, if one still runs.
   *
   * @throws PostgresStartException if it does not stop
   */
  void stopEarlier() throws IOException {
    Path data = directory().data();
    Optional<ServerProcess> earlier = ServerProcess.recorded(data);
    if (earlier.isEmpty()) {
      return;
    }
    long pid = earlier.get().pid();
    if (!earlier.get().isRunning()) {
      // Another process has its pid now, and PostgreSQL would take that for a server.
      if (ProcessHandle.of(pid).isPresent()) {
        Files.deleteIfExists(ServerProcess.pidFile(data));
      }
      return;
    }
    if (!earlier.get().stop(programs, runner, settings.stopLimit())) {
      throw new PostgresStartException(
          "the PostgreSQL of an earlier run (process "
              + pid
              + ") still uses "
              + data
              + " and does not stop: end it, then start again");
    }
  }

  /**
   * Starts the server and waits until it accepts connections. Tries again if another process has
   * taken the port meanwhile, or a server of a killed earlier run was still starting.
   *
   * @throws PostgresStartException if it does not start; it does not run then
   */
  Running launch(IntSupplier ports) throws IOException {
    prepareLog();
    for (int attempt = 1; ; attempt++) {
      stopEarlier();
      int port = ports.getAsInt();
      new ServerConfiguration(directory(), settings).write(port);
      long logged = Files.size(directory().log());
      CommandRunner.Outcome outcome = runPgCtl();
      if (outcome.succeeded()) {
        ServerProcess process =
            ServerProcess.recorded(directory().data()).orElseThrow(() -> failure(outcome.output()));
        return new Running(process, port);
      }
      LogTail log = LogTail.of(directory().log(), logged);
      // It may have exceeded the timeout and still be starting.
      stopEarlier();
      if (attempt == ATTEMPTS_MAX || !mayPass(log)) {
        throw failure(log.text().isBlank() ? outcome.output() : log);
      }
    }
  }

  boolean stop(ServerProcess process) throws IOException {
    return process.stop(programs, runner, settings.stopLimit());
  }

  private CommandRunner.Outcome runPgCtl() throws IOException {
    try {
      return runner.run(
          settings.startLimit().plus(PG_CTL_MARGIN),
          programs.pgCtl(),
          "start",
          "-w",
          "-t",
          Long.toString(Math.max(1, settings.startLimit().toSeconds())),
          "-D",
          directory().data().toString(),
          "-l",
          directory().log().toString(),
          "-o",
          "-c config_file=\"" + directory().configuration() + "\"");
    } catch (PostgresStartException e) {
      // pg_ctl hangs; the server that it started may run.
      stopEarlier();
      throw e;
    }
  }

  private static boolean mayPass(LogTail log) {
    return log.contains("could not create any TCP/IP sockets")
        || log.contains("lock file \"postmaster.pid\" already exists")
        // The processes of a killed server end by themselves.
        || log.contains("pre-existing shared memory block");
  }

  private PostgresStartException failure(LogTail tail) {
    return new PostgresStartException(
        "PostgreSQL does not start in "
            + directory().path()
            + ": "
            + tail.reason()
            + " (more in "
            + directory().log()
            + ")");
  }

  /**
   * Creates the log, to which the server's account can append without the right to create files.
   */
  private void prepareLog() throws IOException {
    Path log = directory().log();
    if (Files.exists(log) && Files.size(log) > LOG_BYTES_MAX) {
      Files.move(log, directory().previousLog(), StandardCopyOption.REPLACE_EXISTING);
    }
    if (!Files.exists(log)) {
      Files.createFile(
          log, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    runner.account().own(log);
  }

  private ServerDirectory directory() {
    return runner.directory();
  }
}
