// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.restmodel.pipeline.ExpectedFinish;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.restmodel.pipeline.RunStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

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
  public List<String> lines(Run run) {
    List<String> lines = new ArrayList<>(head(run));
    lines.add("");
    TextTable table = new TextTable("STEP", "STATE", "PARTS", "STARTED", "TOOK", "WHAT");
    Map<String, RunStep> steps = new LinkedHashMap<>();
    Map<String, List<String>> dependencies = new LinkedHashMap<>();
    RunStep exit = null;
    for (RunStep step : steps(run)) {
      if (Boolean.TRUE.equals(step.exitHandler())) {
        exit = step;
      } else {
        steps.put(step.name(), step);
        dependencies.put(step.name(), before(step));
      }
    }
    for (RunGraph.Line line : RunGraph.lines(dependencies)) {
      RunStep step = steps.get(line.step());
      if (step != null) {
        table.add(cells(run, step, line.drawn().replace(RunGraph.MARK, mark(step))));
      }
    }
    if (exit != null) {
      table.add(cells(run, exit, mark(exit) + " at the end:"));
    }
    lines.addAll(table.lines());
    return lines;
  }

  private List<String> head(Run run) {
    List<String> lines = new ArrayList<>();
    String reason = Cell.orEmpty(run.reason());
    lines.add(
        "%s/%s is %s%s"
            .formatted(
                run.namespace(),
                terminal.styled(Terminal.Style.BOLD, run.name()),
                terminal.state(run.state()),
                reason.isEmpty() ? "" : ": " + reason));
    lines.add("");
    lines.add("  Id             " + run.id());
    lines.add("  Pipeline       %s, version %d".formatted(run.pipeline(), run.version()));
    lines.add(
        "  Logical time   %s, %s"
            .formatted(
                run.logicalTime(),
                run.schedule() == null
                    ? "begun by " + run.createdBy()
                    : "by schedule " + run.schedule()));
    lines.add("  Took           " + took(run.startedAt(), run.endedAt(), now));
    if (run.deadline() != null) {
      lines.add("  Deadline       " + run.deadline() + ", " + lateness(terminal, run.lateness()));
    }
    ExpectedFinish expected = run.expectedFinish();
    if (expected != null) {
      lines.add(
          "  Expected end   between %s and %s".formatted(expected.earliest(), expected.latest()));
    }
    Map<String, Object> parameters = run.parameters();
    if (parameters != null && !parameters.isEmpty()) {
      List<String> values = new ArrayList<>();
      for (String name : parameters.keySet()) {
        values.add(name + "=" + shown(JsonRecords.field(parameters, name)));
      }
      lines.add("  Parameters     " + String.join(", ", values));
    }
    return lines;
  }

  /** Returns the steps of a run; empty if it was read without them. */
  public static List<RunStep> steps(Run run) {
    List<RunStep> steps = run.steps();
    return steps == null ? List.of() : steps;
  }

  /**
   * Returns whether a run with a deadline is late.
   *
   * @param lateness null: not known
   */
  public static String lateness(Terminal terminal, @Nullable String lateness) {
    return switch (Cell.orEmpty(lateness)) {
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

  private String[] cells(Run run, RunStep step, String drawn) {
    return new String[] {
      drawn + " " + step.name(),
      terminal.state(Cell.orEmpty(step.state())),
      parts(step),
      since(run, step),
      took(step.startedAt(), step.endedAt(), now),
      what(step)
    };
  }

  /** Returns the dependencies of a step: each a name, or an object with step and when. */
  private static List<JsonNode> dependencies(RunStep step) {
    List<JsonNode> dependencies = new ArrayList<>();
    List<Object> written = step.dependsOn();
    if (written != null) {
      written.forEach(one -> dependencies.add((JsonNode) one));
    }
    return dependencies;
  }

  private static List<String> before(RunStep step) {
    List<String> before = new ArrayList<>();
    for (JsonNode one : dependencies(step)) {
      before.add(one.isTextual() ? one.asText() : one.path("step").asText());
    }
    return before;
  }

  private static char mark(RunStep step) {
    return switch (Cell.orEmpty(step.state())) {
      case "RUNNING" -> '◉';
      case "SUCCEEDED" -> '●';
      case "FAILED" -> '✗';
      case "CANCELLED" -> '⊘';
      case "SKIPPED" -> '·';
      default -> '○';
    };
  }

  /** Returns all tries of a step. */
  public static List<RunStep.Try> tries(RunStep step) {
    List<RunStep.Try> tries = step.parts();
    return tries == null ? List.of() : tries;
  }

  /** Returns the last try of each part. */
  public static List<RunStep.Try> last(RunStep step) {
    TreeMap<Integer, RunStep.Try> last = new TreeMap<>();
    tries(step).forEach(one -> last.put(one.part(), one));
    return List.copyOf(last.values());
  }

  /** Returns how many of the parts have succeeded, and how many retries all have used. */
  private static String parts(RunStep step) {
    List<RunStep.Try> parts = last(step);
    if (parts.isEmpty()) {
      return "-";
    }
    long done = parts.stream().filter(RunPage::succeeded).count();
    int retries = tries(step).size() - parts.size();
    String used = retries == 0 ? "" : retries == 1 ? ", 1 retry" : ", " + retries + " retries";
    return done + "/" + parts.size() + used;
  }

  private static boolean succeeded(RunStep.Try part) {
    return part.state().equals("SUCCEEDED");
  }

  /** Returns why the step failed or was skipped; else the conditions that it waits for. */
  private static String what(RunStep step) {
    TreeSet<String> said = new TreeSet<>();
    for (RunStep.Try part : last(step)) {
      String message = Cell.orEmpty(part.message());
      if (!succeeded(part) && !message.isEmpty()) {
        said.add(message);
      }
    }
    String reason = Cell.orEmpty(step.reason());
    if (!reason.isEmpty() || !said.isEmpty()) {
      String first = said.isEmpty() || said.contains(reason) ? reason : said.first();
      return said.size() > 1 ? first + " and " + (said.size() - 1) + " more" : first;
    }
    List<String> conditions = new ArrayList<>();
    for (JsonNode one : dependencies(step)) {
      if (!one.isTextual()) {
        conditions.add(one.path("step").asText() + " " + one.path("when").asText());
      }
    }
    return conditions.isEmpty() ? "" : "after " + String.join(", ", conditions);
  }

  /** Returns the time from the start of the run to that of the step. */
  private static String since(Run run, RunStep step) {
    Instant started = step.startedAt();
    Instant of = run.startedAt();
    return started == null || of == null ? "-" : "+" + shown(Duration.between(of, started));
  }

  /**
   * Returns the duration of a run or a step.
   *
   * @param started null: it has not started
   * @param ended null: it has not ended; the duration is that until now
   */
  public static String took(@Nullable Instant started, @Nullable Instant ended, Instant now) {
    return started == null ? "-" : shown(Duration.between(started, ended == null ? now : ended));
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
