// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import io.sluice.cli.output.Amounts;
import io.sluice.cli.output.Cell;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.Terminal.Style;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.explanation.JobExpectedStart;
import io.sluice.restmodel.plan.PlanEntry;
import io.sluice.restmodel.plan.PlanEntry.PlanAmount;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Draws the plan as a Gantt chart: a row for each slice, and for each ClusterQueue and flavor
 * without slices as many rows as bars overlap. On a narrow terminal it is a table.
 */
final class PlanChart {
  private static final int BARS_MIN = 40;
  private static final int LABEL_MAX = 28;
  private static final int TICK_CHARACTERS = 9;
  private static final List<Duration> STEPS =
      List.of(
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofMinutes(30),
          Duration.ofHours(1),
          Duration.ofHours(2),
          Duration.ofHours(4),
          Duration.ofHours(6),
          Duration.ofHours(12),
          Duration.ofDays(1));
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);

  /**
   * The drawn period.
   *
   * @param width total width in characters
   */
  record Frame(Instant from, Instant until, int width, ZoneId zone) {}

  /** A part of a row; columns from the first to before the last. */
  private record Bar(int first, int last, PlanEntry entry, boolean open) {}

  private final Terminal terminal;
  private final Frame frame;
  private final TreeMap<String, List<List<Bar>>> rows = new TreeMap<>();
  private int bars;

  private PlanChart(Terminal terminal, Frame frame) {
    this.terminal = terminal;
    this.frame = frame;
  }

  /** Returns the lines of the chart, or of the table if there is no room for bars. */
  static List<String> lines(List<PlanEntry> entries, Terminal terminal, Frame frame) {
    PlanChart chart = new PlanChart(terminal, frame);
    int labels = 0;
    for (PlanEntry entry : entries) {
      for (String label : labels(entry)) {
        labels = Math.max(labels, Math.min(LABEL_MAX, label.length()));
      }
    }
    chart.bars = frame.width() - labels - 2;
    return chart.bars < BARS_MIN ? table(entries).lines() : chart.draw(entries, labels);
  }

  /** Returns the plan in columns. */
  static TextTable table(List<PlanEntry> entries) {
    TextTable table =
        new TextTable("KIND", "NAMESPACE", "NAME", "QUEUE", "START", "END BY", "USES", "SLICES");
    for (PlanEntry entry : entries) {
      table.add(
          entry.kind() + (Boolean.FALSE.equals(entry.firm()) ? ", unless reclaimed" : ""),
          Cell.orDash(entry.namespace()),
          name(entry),
          Cell.orDash(entry.clusterQueue()),
          start(entry),
          Cell.or(entry.end(), "no time limit"),
          String.join(", ", entry.amounts().stream().map(PlanChart::amount).toList()),
          String.join(" ", entry.slices()));
    }
    return table;
  }

  private static String start(PlanEntry entry) {
    JobExpectedStart expected = entry.expected();
    return expected == null
        ? Cell.or(entry.start(), "unknown")
        : expected.earliest() + " to " + Cell.or(expected.latest(), "never");
  }

  private static String amount(PlanAmount amount) {
    return "%s %s of %s"
        .formatted(
            Amounts.shown(amount.amount(), amount.resource()), amount.resource(), amount.flavor());
  }

  private static String name(PlanEntry entry) {
    Integer index = entry.index();
    return Cell.or(entry.name(), "(not readable)")
        + (index == null || index == 0 ? "" : "[" + index + "]");
  }

  private static List<String> labels(PlanEntry entry) {
    if (!entry.slices().isEmpty()) {
      return entry.slices();
    }
    return entry.amounts().stream()
        .map(amount -> Cell.orDash(entry.clusterQueue()) + "/" + amount.flavor())
        .distinct()
        .toList();
  }

  private List<String> draw(List<PlanEntry> entries, int labels) {
    List<PlanEntry> dateless = new ArrayList<>();
    for (PlanEntry entry : entries) {
      Bar bar = bar(entry);
      if (bar == null) {
        dateless.add(entry);
        continue;
      }
      for (String label : labels(entry)) {
        place(bar, rows.computeIfAbsent(label, absent -> new ArrayList<>()));
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add(" ".repeat(labels + 2) + scale());
    rows.forEach(
        (label, lanes) -> {
          String shown = label.length() <= labels ? label : label.substring(0, labels - 1) + "~";
          for (List<Bar> lane : lanes) {
            lines.add(("%-" + Math.max(1, labels) + "s  ").formatted(shown) + row(lane));
            shown = "";
          }
        });
    if (rows.isEmpty()) {
      lines.clear();
    }
    for (PlanEntry entry : dateless) {
      lines.add(
          "%s/%s starts when attempts without a time limit end; what becomes free of %s is kept"
              .formatted(
                  Cell.orDash(entry.namespace()), name(entry), String.join(", ", labels(entry))));
    }
    lines.add("");
    boolean dated = entries.stream().anyMatch(PlanChart::isDated);
    lines.add(
        "# running   = planned, firm   ~ planned, unless reclaimed   . expected (median)   > goes"
            + " on"
            + (dated ? "   + booked   x absent" : ""));
    return lines;
  }

  /** Returns the bar of an entry; null if it has no start. */
  private @Nullable Bar bar(PlanEntry entry) {
    Instant start = entry.start();
    if (start == null) {
      return null;
    }
    int first = Math.max(0, column(start));
    Instant end = entry.end();
    boolean open = end == null || end.isAfter(frame.until());
    int last = end == null || open ? bars : columnAfter(end);
    return new Bar(
        Math.min(first, bars - 1), Math.max(Math.min(last, bars), first + 1), entry, open);
  }

  /** Returns the column in which a time is; -1 before the frame, the number of columns after it. */
  private int column(Instant at) {
    return (int) Math.max(-1, Math.min(bars, Math.floorDiv(scaled(at), millis())));
  }

  /** Returns the first column that is not before a time. */
  private int columnAfter(Instant at) {
    return (int) Math.max(0, Math.min(bars, Math.floorDiv(scaled(at) + millis() - 1, millis())));
  }

  private long scaled(Instant at) {
    return Duration.between(frame.from(), at).toMillis() * bars;
  }

  private long millis() {
    return Math.max(1, Duration.between(frame.from(), frame.until()).toMillis());
  }

  /** Puts a bar into the first row in which it does not overlap others. */
  private static void place(Bar bar, List<List<Bar>> lanes) {
    for (List<Bar> lane : lanes) {
      boolean free =
          lane.stream().allMatch(one -> one.last() <= bar.first() || one.first() >= bar.last());
      if (free) {
        lane.add(bar);
        return;
      }
    }
    lanes.add(new ArrayList<>(List.of(bar)));
  }

  private String row(List<Bar> lane) {
    StringBuilder row = new StringBuilder();
    int at = 0;
    List<Bar> inOrder =
        lane.stream().sorted((one, other) -> Integer.compare(one.first(), other.first())).toList();
    for (Bar bar : inOrder) {
      row.append(" ".repeat(bar.first() - at)).append(text(bar));
      at = bar.last();
    }
    return row.toString();
  }

  /** Returns whether an entry is a booking or an outage. */
  private static boolean isDated(PlanEntry entry) {
    return entry.kind().equals("booked") || entry.kind().equals("absent");
  }

  private static char fill(PlanEntry entry, boolean running, boolean borrowed) {
    if (isDated(entry)) {
      return entry.clusterQueue() == null ? 'x' : '+';
    }
    return running ? '#' : borrowed ? '~' : '=';
  }

  private String text(Bar bar) {
    int length = bar.last() - bar.first();
    boolean running = bar.entry().kind().equals("running");
    boolean borrowed = Boolean.FALSE.equals(bar.entry().firm());
    boolean expected = bar.entry().expected() != null;
    char fill = expected ? '.' : fill(bar.entry(), running, borrowed);
    StringBuilder text = new StringBuilder(String.valueOf(fill).repeat(length));
    String name = name(bar.entry());
    // One character of the fill before the name, and one after it.
    if (length >= 5) {
      String fitting = name.length() <= length - 2 ? name : name.substring(0, length - 2);
      text.replace(1, 1 + fitting.length(), fitting);
    }
    if (bar.open()) {
      text.setCharAt(length - 1, '>');
    }
    if (expected) {
      return text.toString();
    }
    Style style = running ? Style.GREEN : borrowed ? Style.MAGENTA : Style.YELLOW;
    return terminal.styled(style, text.toString());
  }

  /** Returns the scale: times of day, each beginning at its column. */
  private String scale() {
    Duration all = Duration.between(frame.from(), frame.until());
    Duration step = STEPS.get(STEPS.size() - 1);
    for (Duration candidate : STEPS) {
      if (all.toMillis() / candidate.toMillis() * TICK_CHARACTERS <= bars) {
        step = candidate;
        break;
      }
    }
    StringBuilder scale = new StringBuilder(" ".repeat(bars));
    ZonedDateTime day = frame.from().atZone(frame.zone()).truncatedTo(ChronoUnit.DAYS);
    Instant tick = day.toInstant();
    while (!tick.isAfter(frame.until())) {
      int column = column(tick);
      String label = "|" + TIME.format(tick.atZone(frame.zone()));
      if (!tick.isBefore(frame.from()) && column + label.length() <= bars) {
        scale.replace(column, column + label.length(), label);
      }
      tick = tick.plus(step);
    }
    return scale.toString().stripTrailing();
  }
}
