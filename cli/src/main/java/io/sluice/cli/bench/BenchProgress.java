// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import io.sluice.cli.output.Terminal;
import io.sluice.queuemodel.job.JobState;
import io.sluice.restmodel.job.JobCounts;
import java.time.Duration;
import java.util.Locale;

/** The status line of a run on an interactive terminal. */
final class BenchProgress implements AutoCloseable {
  private static final double MILLIS_PER_SECOND = 1_000;

  private final Terminal terminal;

  BenchProgress(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Shows what is being done before and after the run. */
  void step(String text) {
    terminal.status(text);
  }

  /** Shows how many of the workloads are submitted; the server is not asked meanwhile. */
  void submitting(int submitted, int workloads, Duration elapsed) {
    show("%,d of %,d submitted", elapsed, submitted, workloads);
  }

  /** Shows how many of the submitted jobs run and have ended. */
  void waiting(int submitted, JobCounts live, Duration elapsed) {
    long running =
        live.items().stream()
            .filter(group -> JobState.RUNNING.name().equals(group.state()))
            .mapToLong(JobCounts.Group::count)
            .sum();
    show(
        "%,d submitted, %,d running, %,d ended",
        elapsed, submitted, running, submitted - live.total());
  }

  private void show(String format, Duration elapsed, Object... numbers) {
    if (terminal.interactive()) {
      terminal.status(
          String.format(Locale.ROOT, format, numbers)
              + String.format(Locale.ROOT, ", %.0f s", elapsed.toMillis() / MILLIS_PER_SECOND));
    }
  }

  /** Removes the line. */
  @Override
  public void close() {
    terminal.status("");
  }
}
