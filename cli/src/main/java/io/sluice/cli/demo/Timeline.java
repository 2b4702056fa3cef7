// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.output.Cell;
import io.sluice.restmodel.fleet.SliceAllocation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Draws which job held each slice over time, one line per slice. */
final class Timeline {
  private static final int WIDTH = 64;
  private static final int ALLOCATIONS_MAX = 500;

  /** The time in which a job held a slice. */
  record Held(String slice, String job, Instant from, Instant to) {}

  private final List<StoryJob> jobs;
  private final List<Held> held;

  Timeline(ServerClient client, List<StoryJob> jobs) {
    this.jobs = jobs;
    this.held = held(client, jobs);
  }

  /** Returns past and present holdings of the demonstration's jobs. */
  static List<Held> held(ServerClient client, List<StoryJob> jobs) {
    List<String> ids = jobs.stream().map(StoryJob::id).toList();
    List<Held> held = new ArrayList<>();
    String path = "/v1/fleet/allocations?limit=" + ALLOCATIONS_MAX;
    for (SliceAllocation allocation : client.list(path, ALLOCATIONS_MAX, SliceAllocation.class)) {
      if (ids.contains(allocation.job())) {
        Instant to = allocation.to();
        held.add(
            new Held(
                allocation.slice(),
                Cell.orEmpty(allocation.name()),
                allocation.from(),
                to == null ? Instant.now() : to));
      }
    }
    return held;
  }

  List<String> lines() {
    if (held.isEmpty()) {
      return List.of("no slice was held");
    }
    Instant begin = held.stream().map(Held::from).min(Instant::compareTo).orElseThrow();
    Instant end = held.stream().map(Held::to).max(Instant::compareTo).orElseThrow();
    long millis = Math.max(1, Duration.between(begin, end).toMillis());
    Map<String, char[]> rows = new TreeMap<>();
    for (Held one : held) {
      char[] row = rows.computeIfAbsent(one.slice(), absent -> emptyRow());
      int from = column(Duration.between(begin, one.from()), millis);
      int to = Math.max(from + 1, column(Duration.between(begin, one.to()), millis));
      Arrays.fill(row, from, Math.min(to, WIDTH), letter(one.job()));
    }
    List<String> lines = new ArrayList<>();
    lines.add("Who held which slice, over %.1f s:".formatted(millis / 1000.0));
    rows.forEach((slice, row) -> lines.add("  %-8s |%s|".formatted(slice, new String(row))));
    StringBuilder legend = new StringBuilder("  ");
    for (StoryJob job : jobs) {
      legend.append(letter(job.name())).append(' ').append(job.name()).append("  ");
    }
    lines.add(legend.toString().stripTrailing());
    return lines;
  }

  private static char[] emptyRow() {
    char[] row = new char[WIDTH];
    Arrays.fill(row, '.');
    return row;
  }

  private static int column(Duration since, long millis) {
    return (int) Math.min(WIDTH - 1, since.toMillis() * WIDTH / millis);
  }

  /** Returns the number of a job of the sweep, else the first letter of the job's name. */
  private static char letter(String job) {
    char last = job.charAt(job.length() - 1);
    return Character.isDigit(last) ? last : Character.toUpperCase(job.charAt(0));
  }
}
