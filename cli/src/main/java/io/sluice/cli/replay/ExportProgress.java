// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.replay;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.IntConsumer;

/** Shows on standard error, if that is a terminal, how many jobs have been read. */
final class ExportProgress implements IntConsumer {
  private static final long NANOS = Duration.ofMillis(200).toNanos();

  private final PrintStream errors = System.err;
  private final boolean shows;
  private long shown = System.nanoTime();
  private boolean drawn;

  ExportProgress(boolean quiet) {
    // The script that starts the JVM says whether standard error is a terminal.
    this.shows = !quiet && Boolean.getBoolean("sluice.terminal.errors");
  }

  @Override
  public void accept(int jobs) {
    long now = System.nanoTime();
    if (shows && now - shown >= NANOS) {
      shown = now;
      drawn = true;
      errors.print("\r\u001b[0K" + jobs + " jobs");
      errors.flush();
    }
  }

  /** Removes the line. */
  void end() {
    if (drawn) {
      errors.print("\r\u001b[0K");
      errors.flush();
    }
  }
}
