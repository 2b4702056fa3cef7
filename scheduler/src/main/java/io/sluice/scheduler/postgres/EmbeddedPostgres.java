// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.function.IntSupplier;

/**
 * A PostgreSQL server owned by this process, on a free port of 127.0.0.1, with its data in a
 * directory. It runs until {@link #close}; if this process is killed, it runs on until the next
 * start stops and restarts it. If it ends by itself, {@link PostgresSupervision} restarts it. One
 * directory serves one caller at a time, which the caller must ensure.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final ServerLauncher launcher;
  private final int port;
  private final String password;
  private ServerProcess process;
  private boolean closed;

  private EmbeddedPostgres(
      ServerLauncher launcher, ServerLauncher.Running running, String password) {
    this.launcher = launcher;
    this.port = running.port();
    this.process = running.process();
    this.password = password;
  }

  /**
   * Starts the server and returns when it accepts connections. Creates what is missing: the
   * directory, the programs in it, the cluster with its role and database.
   *
   * @throws PostgresStartException if it does not start; no process of it is left then
   */
  public static EmbeddedPostgres start(Path directory, PostgresSettings settings) {
    return start(directory, settings, EmbeddedPostgres::freePort);
  }

  /**
   * @param ports asked for another one when a port turns out to be taken
   */
  static EmbeddedPostgres start(Path directory, PostgresSettings settings, IntSupplier ports) {
    return Waiting.undisturbed(() -> startHere(directory, settings, ports));
  }

  private static EmbeddedPostgres startHere(
      Path directory, PostgresSettings settings, IntSupplier ports) {
    try {
      ServerAccount account = ServerAccount.choose();
      ServerDirectory home = ServerDirectory.prepare(directory, account);
      try {
        return startIn(home, account, settings, ports);
      } catch (IOException | RuntimeException e) {
        // Frees the disk: it may be full because of the unfinished files.
        home.deleteLeftovers();
        throw e;
      }
    } catch (IOException | UncheckedIOException e) {
      throw new PostgresStartException(
          "PostgreSQL does not start in " + directory + ": " + reason(e), e);
    }
  }

  private static EmbeddedPostgres startIn(
      ServerDirectory home, ServerAccount account, PostgresSettings settings, IntSupplier ports)
      throws IOException {
    ServerPrograms programs = ServerPrograms.provide(home);
    CommandRunner runner = new CommandRunner(home, account);
    ServerLauncher launcher = new ServerLauncher(programs, runner, settings);
    launcher.stopEarlier();
    home.keepOnly(programs.home());
    String password = new Cluster(programs, runner, settings).provide();
    return new EmbeddedPostgres(launcher, launcher.launch(ports), password);
  }

  public String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + Cluster.DATABASE;
  }

  public String user() {
    return Cluster.ROLE;
  }

  public String password() {
    return password;
  }

  /** The process id of the server's main process. */
  synchronized long pid() {
    return process.pid();
  }

  /** Whether the server's main process exists; it may still be recovering. */
  public synchronized boolean isRunning() {
    return process.isRunning();
  }

  /**
   * Restarts the server on the same port if it ended by itself, and returns when it accepts
   * connections. Does nothing if it runs or was closed.
   *
   * @throws PostgresStartException if it does not start now; a later call may succeed
   */
  public synchronized void restart() {
    if (!closed && !process.isRunning()) {
      process = Waiting.undisturbed(this::launchAgain);
    }
  }

  private ServerProcess launchAgain() {
    try {
      return launcher.launch(() -> port).process();
    } catch (IOException | UncheckedIOException failure) {
      throw new PostgresStartException("PostgreSQL does not start: " + reason(failure), failure);
    }
  }

  /**
   * Stops the server: open transactions are aborted. Returns when it has ended, or after twice the
   * stop limit of the settings with a warning in the log. Idempotent.
   */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Waiting.undisturbed(Executors.callable(this::closeHere));
    }
  }

  private void closeHere() {
    try {
      if (!launcher.stop(process)) {
        log().log(WARNING, "PostgreSQL does not stop, process " + process.pid());
      }
    } catch (IOException | PostgresStartException e) {
      log().log(WARNING, "PostgreSQL is told to stop, but not waited for", e);
      if (process.isRunning()) {
        ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroy);
      }
    }
  }

  private static System.Logger log() {
    return System.getLogger(EmbeddedPostgres.class.getName());
  }

  /** Free at the moment; another process may take it before it is used. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Adds the kind of error: messages of file exceptions are bare paths, those of unchecked ones
   * class names.
   */
  private static String reason(Throwable e) {
    if (e instanceof UncheckedIOException && e.getCause() != null) {
      return reason(e.getCause());
    }
    if (e instanceof FileSystemException file) {
      String what = e instanceof AccessDeniedException ? "permission denied" : file.getReason();
      return file.getFile()
          + ": "
          + (what == null ? e.getClass().getSimpleName().replace("Exception", "") : what);
    }
    return String.valueOf(e.getMessage());
  }
}
