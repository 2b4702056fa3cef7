// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.replay;

import io.sluice.simulator.replay.ReplayWatcher;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Shows on standard error how far a replay has come: a bar on a terminal, which is removed at the
 * end, and a line at intervals elsewhere.
 */
final class ReplayProgress implements ReplayWatcher {
  private static final long BAR_NANOS = Duration.ofMillis(200).toNanos();
  private static final long LINE_NANOS = Duration.ofSeconds(10).toNanos();
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double SECONDS_PER_DAY = 86_400;
  private static final int BAR_WIDTH = 20;
  private static final int PERCENT = 100;

  private final PrintStream errors = System.err;
  private final boolean quiet;
  private final boolean terminal;
  private final long begun = System.nanoTime();
  private long shown = begun;
  private boolean drawn;
  private long firstSecond = -1;

  ReplayProgress(boolean quiet) {
    this.quiet = quiet;
    // The script that starts the JVM says whether standard error is a terminal.
    this.terminal = Boolean.getBoolean("sluice.terminal.errors");
  }

  @Override
  public void passed(int ended, int jobs, long second) {
    if (firstSecond < 0) {
      firstSecond = second;
    }
    long now = System.nanoTime();
    if (quiet || now - shown < (terminal ? BAR_NANOS : LINE_NANOS)) {
      return;
    }
    shown = now;
    String state = state(ended, jobs, second, (now - begun) / NANOS_PER_SECOND);
    if (terminal) {
      drawn = true;
      errors.print("\r\u001b[0K" + bar(ended, jobs) + state);
      errors.flush();
    } else {
      errors.println(state);
    }
  }

  private String state(int ended, int jobs, long second, double elapsedSeconds) {
    return String.format(
        Locale.ROOT,
        "%d of %d jobs, day %.1f, %.0f jobs/s",
        ended,
        jobs,
        (second - firstSecond) / SECONDS_PER_DAY,
        ended / elapsedSeconds);
  }

  private static String bar(int ended, int jobs) {
    int full = (int) ((long) ended * BAR_WIDTH / jobs);
    return String.format(
        Locale.ROOT,
        "[%s%s] %3d %%  ",
        "#".repeat(full),
        ".".repeat(BAR_WIDTH - full),
        (long) ended * PERCENT / jobs);
  }

  /** Removes the bar. */
  void end() {
    if (drawn) {
      errors.print("\r\u001b[0K");
      errors.flush();
    }
  }
}
