// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import io.sluice.scheduler.postgres.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a server needs from time to time: heap, resident memory, tables. */
final class SoakFigures {
  private static final double MEBIBYTE = 1L << 20;

  /** Tables that keep what was submitted, so that they grow with it. */
  private static final Set<String> KEEPING =
      Set.of(
          "attempt",
          "attempt_dispatch",
          "audit",
          "job",
          "pipeline_run",
          "run_event",
          "run_part",
          "run_step",
          "slice_allocation",
          "start_estimate",
          "workload_shape");

  /** Growth from the middle to the last third that is no leak. */
  private static final double FACTOR_MAX = 1.5;

  private static final double MEBIBYTES_MAX = 16;
  private static final Pattern USED = Pattern.compile("(?:heap|generation) .*used (\\d+)K");

  private record Sample(
      double heap, double resident, double p50, double p99, Map<String, Double> tables) {}

  private final StartedServer server;
  private final TestDatabase database;
  private final List<Sample> samples = new ArrayList<>();

  SoakFigures(StartedServer server, TestDatabase database) {
    this.server = server;
    this.database = database;
  }

  /** Adds a sample; times in nanoseconds. */
  void sample(List<Long> times) throws IOException, InterruptedException, SQLException {
    List<Long> sorted = new ArrayList<>(times);
    Collections.sort(sorted);
    samples.add(
        new Sample(
            heapAfterCollection(),
            server.mebibytes(),
            quantile(sorted, 0.5),
            quantile(sorted, 0.99),
            tables()));
  }

  private static double quantile(List<Long> sorted, double part) {
    return sorted.isEmpty() ? 0 : sorted.get((int) (part * (sorted.size() - 1))) / 1e6;
  }

  private double heapAfterCollection() throws IOException, InterruptedException {
    var unused = command("GC.run");
    Matcher used = USED.matcher(command("GC.heap_info"));
    double sum = 0;
    while (used.find()) {
      sum += Long.parseLong(used.group(1)) / 1024.0;
    }
    return sum;
  }

  private String command(String name) throws IOException, InterruptedException {
    Path program = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(program.toString(), Long.toString(server.pid()), name)
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(printed);
    }
    return printed;
  }

  private Map<String, Double> tables() throws SQLException {
    Map<String, Double> sizes = new TreeMap<>();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
                    + " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")) {
      while (rows.next()) {
        sizes.put(rows.getString(1), rows.getLong(2) / MEBIBYTE);
      }
    }
    return sizes;
  }

  /** Returns what has grown from the middle third of the time to its last third, a line each. */
  List<String> growths() {
    List<String> growths = new ArrayList<>();
    int third = samples.size() / 3;
    Sample middle = most(samples.subList(third, 2 * third));
    Sample last = most(samples.subList(2 * third, samples.size()));
    check("heap", middle.heap(), last.heap(), growths);
    last.tables()
        .forEach(
            (table, size) -> {
              if (!KEEPING.contains(table)) {
                check(table, middle.tables().getOrDefault(table, 0.0), size, growths);
              }
            });
    return growths;
  }

  private static void check(String what, double before, double after, List<String> growths) {
    if (after > FACTOR_MAX * before + MEBIBYTES_MAX) {
      growths.add(String.format(Locale.ROOT, "%s grew from %.1f to %.1f MiB", what, before, after));
    }
  }

  private static Sample most(List<Sample> some) {
    Map<String, Double> tables = new TreeMap<>();
    some.forEach(
        one -> one.tables().forEach((table, size) -> tables.merge(table, size, Math::max)));
    return new Sample(
        some.stream().mapToDouble(Sample::heap).max().orElse(0),
        some.stream().mapToDouble(Sample::resident).max().orElse(0),
        some.stream().mapToDouble(Sample::p50).max().orElse(0),
        some.stream().mapToDouble(Sample::p99).max().orElse(0),
        tables);
  }

  /** Returns those of some jobs that have not ended. */
  Set<String> notEnded(Collection<String> jobs) throws SQLException {
    Set<String> left = new TreeSet<>(jobs);
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT id FROM job WHERE finished_at IS NOT NULL")) {
      while (rows.next()) {
        left.remove(rows.getString(1));
      }
    }
    return left;
  }

  /** Returns a table of three times, and the sizes of tables at the last two. */
  String report(Map<String, Long> counts) {
    StringBuilder text = new StringBuilder();
    text.append("requests: ").append(counts).append('\n');
    int third = samples.size() / 3;
    for (int part = 0; part < 3; part++) {
      int to = part == 2 ? samples.size() : (part + 1) * third;
      Sample most = most(samples.subList(part * third, to));
      text.append(
          String.format(
              Locale.ROOT,
              "third %d: heap %.0f MiB, resident %.0f MiB; submission p50 %.0f ms, p99 %.0f ms"
                  + " (the most of any ten seconds); tables %s%n",
              part + 1,
              most.heap(),
              most.resident(),
              most.p50(),
              most.p99(),
              most.tables().entrySet().stream()
                  .filter(table -> table.getValue() >= 1)
                  .map(
                      table ->
                          String.format(Locale.ROOT, "%s %.1f", table.getKey(), table.getValue()))
                  .collect(Collectors.joining(", "))));
    }
    return text.toString();
  }
}
