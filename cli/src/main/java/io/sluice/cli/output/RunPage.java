// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Formats a run for people: its graph, with the state and the times of each step. */
public final class RunPage {
  private static final int SECONDS_OF_MINUTE = 60;
  private static final int MINUTES_OF_HOUR = 60;
  private static final int MILLIS_OF_TENTH = 100;
  private static final int TENTHS_SHOWN_MAX = 100;

  private final Terminal terminal;
  private final Instant now;

  public RunPage(Terminal terminal, Instant now) {
    this.terminal = terminal;
    this.now = now;
  }

  /** Returns the lines of the page. */
  public List<String> lines(JsonNode run) {
    List<String> lines = new ArrayList<>(head(run));
    lines.add("");
    TextTable table = new TextTable("STEP", "STATE", "PARTS", "STARTED", "TOOK", "WHAT");
    Map<String, JsonNode> steps = new LinkedHashMap<>();
    Map<String, List<String>> dependencies = new LinkedHashMap<>();
    JsonNode exit = null;
    for (JsonNode step : run.path("steps")) {
      if (step.path("exitHandler").asBoolean()) {
        exit = step;
      } else {
        steps.put(step.path("name").asText(), step);
        dependencies.put(step.path("name").asText(), before(step));
      }
    }
    for (RunGraph.Line line : RunGraph.lines(dependencies)) {
      JsonNode step = steps.getOrDefault(line.step(), run);
      table.add(cells(run, step, line.drawn().replace(RunGraph.MARK, mark(step))));
    }
    if (exit != null) {
      table.add(cells(run, exit, mark(exit) + " at the end:"));
    }
    lines.addAll(table.lines());
    return lines;
  }

  private List<String> head(JsonNode run) {
    List<String> lines = new ArrayList<>();
    String reason = run.path("reason").asText("");
    lines.add(
        "%s/%s is %s%s"
            .formatted(
                run.path("namespace").asText(),
                terminal.styled(Terminal.Style.BOLD, run.path("name").asText()),
                terminal.state(run.path("state").asText()),
                reason.isEmpty() ? "" : ": " + reason));
    lines.add("");
    lines.add("  Id             " + run.path("id").asText());
    lines.add(
        "  Pipeline       %s, version %s"
            .formatted(run.path("pipeline").asText(), run.path("version").asText()));
    String schedule = run.path("schedule").asText("");
    lines.add(
        "  Logical time   %s, %s"
            .formatted(
                run.path("logicalTime").asText(),
                schedule.isEmpty()
                    ? "begun by " + run.path("createdBy").asText()
                    : "by schedule " + schedule));
    lines.add("  Took           " + took(run, now));
    if (run.hasNonNull("deadline")) {
      lines.add(
          "  Deadline       " + run.path("deadline").asText() + ", " + lateness(terminal, run));
    }
    JsonNode expected = run.path("expectedFinish");
    if (expected.isObject()) {
      lines.add(
          "  Expected end   between %s and %s"
              .formatted(expected.path("earliest").asText(), expected.path("latest").asText()));
    }
    JsonNode parameters = run.path("parameters");
    if (!parameters.isEmpty()) {
      List<String> values = new ArrayList<>();
      parameters
          .properties()
          .forEach(entry -> values.add(entry.getKey() + "=" + shown(entry.getValue())));
      lines.add("  Parameters     " + String.join(", ", values));
    }
    return lines;
  }

  /** Returns whether a run with a deadline is late. */
  public static String lateness(Terminal terminal, JsonNode run) {
    return switch (run.path("lateness").asText()) {
      case "IN_TIME" -> "in time";
      case "MAY_BE_LATE" -> terminal.styled(Terminal.Style.YELLOW, "may be late");
      case "WILL_BE_LATE" -> terminal.styled(Terminal.Style.RED, "will be late");
      case "LATE" -> terminal.styled(Terminal.Style.RED, "late");
      default -> "not known yet";
    };
  }

  private static String shown(JsonNode value) {
    return value.isTextual() ? value.asText() : value.toString();
  }

  private String[] cells(JsonNode run, JsonNode step, String drawn) {
    return new String[] {
      drawn + " " + step.path("name").asText(),
      terminal.state(step.path("state").asText()),
      parts(step),
      since(run, step),
      took(step, now),
      what(step)
    };
  }

  private static List<String> before(JsonNode step) {
    List<String> before = new ArrayList<>();
    for (JsonNode one : step.path("dependsOn")) {
      before.add(one.isTextual() ? one.asText() : one.path("step").asText());
    }
    return before;
  }

  private static char mark(JsonNode step) {
    return switch (step.path("state").asText()) {
      case "RUNNING" -> '◉';
      case "SUCCEEDED" -> '●';
      case "FAILED" -> '✗';
      case "CANCELLED" -> '⊘';
      case "SKIPPED" -> '·';
      default -> '○';
    };
  }

  /** Returns the last try of each part. */
  public static List<JsonNode> last(JsonNode step) {
    TreeMap<Integer, JsonNode> last = new TreeMap<>();
    step.path("parts").forEach(part -> last.put(part.path("part").asInt(), part));
    return List.copyOf(last.values());
  }

  /** Returns how many of the parts have succeeded, and how many retries all have used. */
  private static String parts(JsonNode step) {
    List<JsonNode> parts = last(step);
    if (parts.isEmpty()) {
      return "-";
    }
    long done = parts.stream().filter(part -> is(part, "SUCCEEDED")).count();
    int retries = step.path("parts").size() - parts.size();
    String used = retries == 0 ? "" : retries == 1 ? ", 1 retry" : ", " + retries + " retries";
    return done + "/" + parts.size() + used;
  }

  private static boolean is(JsonNode part, String state) {
    return part.path("state").asText().equals(state);
  }

  /** Returns why the step failed or was skipped; else the conditions that it waits for. */
  private static String what(JsonNode step) {
    TreeSet<String> said = new TreeSet<>();
    for (JsonNode part : last(step)) {
      String message = part.path("message").asText("");
      if (!is(part, "SUCCEEDED") && !message.isEmpty()) {
        said.add(message);
      }
    }
    String reason = step.path("reason").asText("");
    if (!reason.isEmpty() || !said.isEmpty()) {
      String first = said.isEmpty() || said.contains(reason) ? reason : said.first();
      return said.size() > 1 ? first + " and " + (said.size() - 1) + " more" : first;
    }
    List<String> conditions = new ArrayList<>();
    for (JsonNode one : step.path("dependsOn")) {
      if (!one.isTextual()) {
        conditions.add(one.path("step").asText() + " " + one.path("when").asText());
      }
    }
    return conditions.isEmpty() ? "" : "after " + String.join(", ", conditions);
  }

  /** Returns the time from the start of the run to that of the step. */
  private static String since(JsonNode run, JsonNode step) {
    String started = step.path("startedAt").asText("");
    String of = run.path("startedAt").asText("");
    return started.isEmpty() || of.isEmpty()
        ? "-"
        : "+" + shown(Duration.between(Instant.parse(of), Instant.parse(started)));
  }

  /** Returns the duration, until now if it has not ended. */
  public static String took(JsonNode timed, Instant now) {
    String started = timed.path("startedAt").asText("");
    if (started.isEmpty()) {
      return "-";
    }
    String ended = timed.path("endedAt").asText("");
    Instant until = ended.isEmpty() ? now : Instant.parse(ended);
    return shown(Duration.between(Instant.parse(started), until));
  }

  private static String shown(Duration span) {
    long tenths = Math.max(0, span.toMillis()) / MILLIS_OF_TENTH;
    long seconds = tenths / 10;
    if (tenths < TENTHS_SHOWN_MAX) {
      return seconds + "." + tenths % 10 + "s";
    }
    if (seconds < SECONDS_OF_MINUTE) {
      return seconds + "s";
    }
    long minutes = seconds / SECONDS_OF_MINUTE;
    return minutes < MINUTES_OF_HOUR
        ? minutes + "m" + seconds % SECONDS_OF_MINUTE + "s"
        : minutes / MINUTES_OF_HOUR + "h" + minutes % MINUTES_OF_HOUR + "m";
  }
}
