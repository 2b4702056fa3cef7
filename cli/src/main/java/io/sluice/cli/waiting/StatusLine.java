// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import io.sluice.cli.output.Terminal;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The status line of an interactive terminal. A thread draws it each second, because the times in
 * it pass while the caller waits for the server.
 */
final class StatusLine implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Terminal terminal;
  private @Nullable Thread thread;
  private Supplier<String> line = () -> "";
  private boolean closed;

  StatusLine(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * Shows a line from now on. Does nothing if the terminal is not interactive.
   *
   * @param content called each second, on another thread
   */
  synchronized void show(Supplier<String> content) {
    if (!terminal.interactive()) {
      return;
    }
    line = content;
    if (thread == null) {
      thread = new Thread(this::run, "status-line");
      thread.setDaemon(true);
      thread.start();
    }
    notifyAll();
  }

  private synchronized void run() {
    try {
      while (!closed) {
        terminal.status(line.get());
        wait(PERIOD.toMillis());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Removes the line. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
    terminal.status("");
  }
}
