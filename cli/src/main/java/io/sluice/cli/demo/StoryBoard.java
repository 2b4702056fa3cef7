// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.fleet.FleetOverview;
import io.sluice.restmodel.fleet.SliceHolder;
import io.sluice.restmodel.fleet.SliceView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Shows the states of the jobs: on a terminal a table that is redrawn, else a line for each change.
 * It shows every reason to wait.
 */
final class StoryBoard {
  private final Terminal terminal;
  private final Instant begun = Instant.now();
  private final Map<String, String> told = new TreeMap<>();

  StoryBoard(Terminal terminal) {
    this.terminal = terminal;
  }

  void show(List<StoryJob> jobs, FleetOverview fleet) {
    if (terminal.interactive()) {
      terminal.redraw(table(jobs, fleet));
    } else {
      jobs.forEach(job -> tellChange(job, fleet));
    }
  }

  /** Ends the redrawing; the next table is drawn below. */
  void finish() {
    terminal.keepDrawn();
  }

  private List<String> table(List<StoryJob> jobs, FleetOverview fleet) {
    TextTable table = new TextTable("TEAM", "JOB", "STATE", "ATTEMPT", "SLICES", "REASON");
    for (StoryJob job : jobs) {
      table.add(
          job.team(),
          job.name(),
          terminal.state(job.state()),
          Integer.toString(job.attempts()),
          String.join(" ", slicesOf(job, fleet)),
          job.reason());
    }
    return table.lines();
  }

  private static List<String> slicesOf(StoryJob job, FleetOverview fleet) {
    List<String> slices = new ArrayList<>();
    for (SliceView slice : fleet.slices()) {
      SliceHolder held = slice.heldBy();
      if (held != null && job.id().equals(held.job())) {
        slices.add(slice.name());
      }
    }
    return slices;
  }

  private void tellChange(StoryJob job, FleetOverview fleet) {
    String now = job.state() + job.attempts() + job.reason();
    if (now.equals(told.put(job.id(), now))) {
      return;
    }
    List<String> slices = slicesOf(job, fleet);
    double seconds = Duration.between(begun, Instant.now()).toMillis() / 1000.0;
    terminal.print(
        "%5.1f s  %-8s %-9s%s%s"
            .formatted(
                seconds,
                job.name(),
                job.state(),
                slices.isEmpty() ? "" : " on " + String.join(" ", slices),
                job.reason().isEmpty() ? "" : ": " + job.reason()));
  }
}
