// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace: CSV with a header, one job per line. Required columns are {@code id}, {@code
 * submit_s}, {@code duration_s} and {@code devices}; {@code team} and {@code estimate_s} are used
 * if they exist. Other columns are ignored.
 */
public final class TraceReader {
  /** Maximum number of jobs. */
  public static final int JOBS_MAX = 2_000_000;

  /** Largest time of a trace, in seconds: 300 years. */
  static final long SECONDS_MAX = 10_000_000_000L;

  /** Maximum of all limits together, in seconds, so that all times fit the engine's clock. */
  static final long TOTAL_SECONDS_MAX = 4_000_000_000_000L;

  /** Maximum number of teams. */
  static final int TEAMS_MAX = 10_000;

  private static final int LINES_MAX = 2 * JOBS_MAX;
  private static final int VALUE_SHOWN_MAX = 40;
  private static final int DIGITS_MAX = 18;
  private static final String ID = "id";
  private static final String SUBMIT = "submit_s";
  private static final String DURATION = "duration_s";
  private static final String DEVICES = "devices";
  private static final String TEAM = "team";
  private static final String ESTIMATE = "estimate_s";
  private static final List<String> REQUIRED = List.of(ID, SUBMIT, DURATION, DEVICES);

  private final Path file;
  private final int devicesMax;
  private final Map<String, Integer> columns = new TreeMap<>();
  private final Map<Long, Integer> lineOfId = new HashMap<>();
  private final Map<String, String> teams = new HashMap<>();
  private final List<TraceJob> jobs = new ArrayList<>();
  private List<String> header = List.of();
  private long totalSeconds;
  private int line;

  private TraceReader(Path file, int devicesMax) {
    this.file = file;
    this.devicesMax = devicesMax;
  }

  /**
   * Reads a trace.
   *
   * @param devicesMax number of devices of the machine; no job may use more
   * @param teamsRequired whether every job must have a team
   * @throws TraceFaultException if the file is no trace
   * @throws IOException if the file cannot be read
   */
  public static Trace read(Path file, int devicesMax, boolean teamsRequired) throws IOException {
    TraceReader reader = new TraceReader(file, devicesMax);
    try (TraceLines lines = new TraceLines(file)) {
      reader.readHeader(lines, teamsRequired);
      reader.readJobs(lines);
    }
    return new Trace(reader.jobs);
  }

  private void readHeader(TraceLines lines, boolean teamsRequired) throws IOException {
    String first = lines.next();
    line = 1;
    if (first == null) {
      throw new TraceFaultException(file + " is empty; its first line must name the columns");
    }
    header = fields(first.startsWith("\ufeff") ? first.substring(1) : first);
    for (int at = 0; at < header.size(); at++) {
      if (columns.put(header.get(at), at) != null) {
        throw fault("column %s is there twice".formatted(shown(header.get(at))));
      }
    }
    List<String> needed = new ArrayList<>(REQUIRED);
    if (teamsRequired) {
      needed.add(TEAM);
    }
    needed.removeAll(columns.keySet());
    if (!needed.isEmpty()) {
      throw fault(
          "there is no column %s; a trace has the columns id,submit_s,duration_s,devices and"
                  .formatted(String.join(", ", needed))
              + " optionally team,estimate_s");
    }
  }

  private void readJobs(TraceLines lines) throws IOException {
    for (String text = lines.next(); text != null; text = lines.next()) {
      line = lines.number();
      if (line > LINES_MAX) {
        throw fault("a trace may have %d lines; split it".formatted(LINES_MAX));
      }
      if (!text.isBlank()) {
        if (jobs.size() == JOBS_MAX) {
          throw fault("a trace may have %d jobs; split it".formatted(JOBS_MAX));
        }
        jobs.add(job(fields(text)));
      }
    }
    if (jobs.isEmpty()) {
      throw new TraceFaultException(file + " has no jobs");
    }
  }

  private TraceJob job(List<String> values) throws TraceFaultException {
    if (values.size() != header.size()) {
      throw fault(
          "%d fields, but the header names %d columns".formatted(values.size(), header.size()));
    }
    long id = number(values, ID, 0, Long.MAX_VALUE);
    Integer before = lineOfId.putIfAbsent(id, line);
    if (before != null) {
      throw fault("id %d is already the id of line %d; ids must differ".formatted(id, before));
    }
    long submit = number(values, SUBMIT, 0, SECONDS_MAX);
    long duration = number(values, DURATION, 1, SECONDS_MAX);
    int devices = Math.toIntExact(number(values, DEVICES, 1, Integer.MAX_VALUE));
    if (devices > devicesMax) {
      throw fault(
          "devices is %d, but the machine has %d; no job may use more"
              .formatted(devices, devicesMax));
    }
    Long estimate =
        value(values, ESTIMATE).isEmpty() ? null : number(values, ESTIMATE, 1, SECONDS_MAX);
    totalSeconds += duration;
    if (totalSeconds > TOTAL_SECONDS_MAX) {
      throw fault(
          "the durations up to this line sum to %d s; a trace may have %d s"
              .formatted(totalSeconds, TOTAL_SECONDS_MAX));
    }
    return new TraceJob(id, submit, duration, devices, team(value(values, TEAM)), estimate);
  }

  /** Returns one instance per name, because many jobs have few teams. */
  private String team(String name) throws TraceFaultException {
    String known = teams.putIfAbsent(name, name);
    if (teams.size() > TEAMS_MAX) {
      throw fault(
          "team %s is one too many; a trace may have %d teams".formatted(shown(name), TEAMS_MAX));
    }
    return known == null ? name : known;
  }

  /** Returns a field; empty if there is no such column. */
  private String value(List<String> values, String column) {
    Integer at = columns.get(column);
    return at == null ? "" : values.get(at).strip();
  }

  private long number(List<String> values, String column, long least, long most)
      throws TraceFaultException {
    String value = value(values, column);
    Long number = number(value);
    if (number == null || number < least || number > most) {
      String allowed =
          most == Long.MAX_VALUE
              ? "of at most %d digits".formatted(DIGITS_MAX)
              : "from %d to %d".formatted(least, most);
      throw fault(
          "%s is %s; it must be a whole number %s".formatted(column, shown(value), allowed));
    }
    return number;
  }

  private static @Nullable Long number(String value) {
    int sign = value.startsWith("-") ? 1 : 0;
    if (value.length() == sign || value.length() > DIGITS_MAX) {
      return null;
    }
    for (int at = sign; at < value.length(); at++) {
      if (value.charAt(at) < '0' || value.charAt(at) > '9') {
        return null;
      }
    }
    return Long.parseLong(value);
  }

  /** Splits a line at its commas; a field in double quotes may contain commas. */
  private List<String> fields(String text) throws TraceFaultException {
    if (text.indexOf('"') < 0) {
      return Arrays.asList(text.split(",", -1));
    }
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int at = 0; at < text.length(); at++) {
      char read = text.charAt(at);
      boolean pair = quoted && read == '"' && at + 1 < text.length() && text.charAt(at + 1) == '"';
      if (pair) {
        field.append('"');
        at++;
      } else if (read == '"') {
        quoted = !quoted;
      } else if (read == ',' && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(read);
      }
    }
    if (quoted) {
      throw fault("a double quote is not closed");
    }
    fields.add(field.toString());
    return fields;
  }

  private TraceFaultException fault(String what) {
    return new TraceFaultException("%s, line %d: %s".formatted(file, line, what));
  }

  /** Returns a value in quotes, with control characters replaced and a bounded length. */
  private static String shown(String value) {
    String text = Objects.requireNonNull(value).replaceAll("\\p{Cntrl}", "?");
    return '"'
        + (text.length() > VALUE_SHOWN_MAX ? text.substring(0, VALUE_SHOWN_MAX) + "..." : text)
        + '"';
  }
}
