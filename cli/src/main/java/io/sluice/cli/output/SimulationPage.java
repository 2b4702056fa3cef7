// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import io.sluice.cli.output.Terminal.Style;
import io.sluice.restmodel.simulation.SimulatedJob;
import io.sluice.restmodel.simulation.SimulationAnswer;
import io.sluice.restmodel.simulation.SimulationAnswer.EffectCounts;
import io.sluice.restmodel.simulation.SimulationAnswer.EvictionCost;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints the answer to a simulation. */
public final class SimulationPage {
  private final Terminal terminal;
  private final ZoneId zone;

  public SimulationPage(Terminal terminal, ZoneId zone) {
    this.terminal = terminal;
    this.zone = zone;
  }

  /** Prints all of it. */
  public void print(SimulationAnswer answer) {
    if (answer.jobs().first().isEmpty()) {
      terminal.print("No job would start earlier or later, and none would be displaced.");
    } else {
      table(answer, answer.jobs().first());
    }
    terminal.print("");
    String summary = summary(answer.counts());
    if (!summary.isEmpty()) {
      terminal.print(summary);
    }
    if (answer.with().evictions() + answer.without().evictions() > 0) {
      terminal.print(cost(answer.without(), answer.with()));
    }
    String until = time(answer.until(), answer.begin());
    truncation(answer, until);
    for (String line : List.of("Compared until " + until + ".", answer.assumption())) {
      terminal.print(terminal.styled(Style.DIM, line));
    }
    terminal.print(terminal.styled(Style.DIM, "Nothing was changed."));
  }

  /**
   * Prints the jobs that would start at another time, as a part of a preview, which tells what
   * starts at once.
   */
  void printStarts(SimulationAnswer answer) {
    List<SimulatedJob> moved =
        answer.jobs().first().stream().filter(job -> isNews(job, answer)).toList();
    if (moved.isEmpty()) {
      return;
    }
    terminal.print("");
    terminal.print("Starts, if nothing arrives and every job runs to its latest end:");
    table(answer, moved);
    truncation(answer, time(answer.until(), answer.begin()));
  }

  private static boolean isNews(SimulatedJob job, SimulationAnswer answer) {
    Instant after = job.after();
    boolean atOnce = after != null && !after.isAfter(answer.begin());
    return !(atOnce && job.before() == null) && !job.effect().equals("unchanged");
  }

  private void truncation(SimulationAnswer answer, String until) {
    if (answer.truncated()) {
      terminal.print(
          terminal.styled(
              Style.YELLOW,
              "The simulation was stopped at " + until + "; later starts are not shown."));
    }
  }

  private void table(SimulationAnswer answer, List<SimulatedJob> jobs) {
    TextTable table =
        new TextTable("", "JOB", "QUEUE", "PRIORITY", "BEFORE", "AFTER", "CHANGE", "NOTE");
    for (SimulatedJob job : jobs) {
      Style style = style(job.effect());
      table.add(
          styled(style, sign(job.effect())),
          Cell.job(job.namespace(), job.name()),
          job.clusterQueue(),
          Integer.toString(job.priority()),
          job.running() && job.before() == null ? "running" : start(job.before(), answer),
          after(job, answer),
          styled(style, change(job)),
          note(job, answer));
    }
    terminal.print(table.lines());
    int more = answer.jobs().count() - answer.jobs().first().size();
    if (more > 0) {
      terminal.print("and " + more + " more");
    }
  }

  private String styled(@Nullable Style style, String text) {
    return style == null ? text : terminal.styled(style, text);
  }

  private static String sign(String effect) {
    return switch (effect) {
      case "starts" -> "+";
      case "earlier" -> "<";
      case "later" -> ">";
      case "never" -> "-";
      case "displaced" -> "!";
      case "spared" -> "*";
      case "unknown" -> "?";
      default -> "=";
    };
  }

  private static @Nullable Style style(String effect) {
    return switch (effect) {
      case "starts", "earlier", "spared" -> Style.GREEN;
      case "later", "unknown" -> Style.YELLOW;
      case "never", "displaced" -> Style.RED;
      default -> null;
    };
  }

  private String start(@Nullable Instant at, SimulationAnswer answer) {
    if (at == null) {
      return "-";
    }
    return at.isAfter(answer.begin()) ? time(at, answer.begin()) : "now";
  }

  private String after(SimulatedJob job, SimulationAnswer answer) {
    boolean runsOn = job.running() && job.after() == null && job.evictions() == 0;
    return runsOn ? "running" : start(job.after(), answer);
  }

  private static String change(SimulatedJob job) {
    Long seconds = job.delaySeconds();
    boolean moved = job.effect().equals("later") || job.effect().equals("earlier");
    return moved && seconds != null
        ? (seconds < 0 ? "-" : "+") + duration(Duration.ofSeconds(Math.abs(seconds)))
        : job.effect();
  }

  private String note(SimulatedJob job, SimulationAnswer answer) {
    List<String> parts = new ArrayList<>();
    Instant evictedAt = job.evictedAt();
    if (evictedAt != null) {
      String reason = job.evictedFor() == null ? "" : " for " + job.evictedFor();
      parts.add("evicted at " + time(evictedAt, answer.begin()) + reason);
      if (job.evictions() > 1) {
        parts.add(job.evictions() + " evictions");
      }
    }
    if (job.effect().equals("unknown")) {
      parts.add("seeks capacity from a provider");
    }
    return String.join(", ", parts);
  }

  /** Returns the counts that are not zero. */
  private static String summary(EffectCounts counts) {
    Map<String, Integer> words = new LinkedHashMap<>();
    words.put("starts", counts.starts());
    words.put("earlier", counts.earlier());
    words.put("later", counts.later());
    words.put("never", counts.never());
    words.put("displaced", counts.displaced());
    words.put("spared", counts.spared());
    words.put("unknown", counts.unknown());
    words.values().removeIf(count -> count == 0);
    return words.entrySet().stream()
        .map(word -> word.getKey() + " " + word.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String cost(EvictionCost without, EvictionCost with) {
    return "evictions %d, which lose at most %s attempt-hours and %s device-hours"
            .formatted(with.evictions(), with.attemptHours(), with.deviceHours())
        + " (without the changes %d, %s and %s)"
            .formatted(without.evictions(), without.attemptHours(), without.deviceHours());
  }

  /** Returns a duration in its two largest units. */
  private static String duration(Duration duration) {
    if (duration.toDays() > 0) {
      return duration.toDays() + "d" + duration.toHoursPart() + "h";
    }
    if (duration.toHours() > 0) {
      return duration.toHours() + "h" + duration.toMinutesPart() + "m";
    }
    return duration.toMinutes() > 0
        ? duration.toMinutes() + "m" + duration.toSecondsPart() + "s"
        : duration.toSeconds() + "s";
  }

  private String time(Instant at, Instant begin) {
    return PlannedWords.time(at, begin, zone);
  }
}
