// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.cron;

import io.sluice.queuemodel.InvalidValueException;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * One field of a cron line: the set of permitted values.
 *
 * @param bits bit n stands for value n; at least one is set
 * @param open whether it permits any value, so that only the other day field counts
 */
record CronField(Range range, long bits, boolean open) {
  /** The range and the names of a field's values; in the order of the fields of a line. */
  enum Range {
    SECOND("second", 0, 59, ""),
    MINUTE("minute", 0, 59, ""),
    HOUR("hour", 0, 23, ""),
    DAY("day of the month", 1, 31, ""),
    MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
    /** Sunday may be written as 7; it is stored as 0. */
    WEEKDAY("day of the week", 0, 7, "SUN MON TUE WED THU FRI SAT");

    private final String title;
    private final int least;
    private final int most;
    private final String words;

    Range(String title, int least, int most, String words) {
      this.title = title;
      this.least = least;
      this.most = most;
      this.words = words;
    }

    /** The greatest value that is stored. */
    private int last() {
      return this == WEEKDAY ? 6 : most;
    }

    private int value(String text) {
      int word = List.of(words.split(" ", -1)).indexOf(text.toUpperCase(Locale.ROOT));
      if (word >= 0 && !text.isEmpty()) {
        return least + word;
      }
      try {
        int number = Integer.parseInt(text);
        if (number >= least && number <= most && Character.isDigit(text.charAt(0))) {
          return number;
        }
      } catch (NumberFormatException unreadable) {
        throw wrong(text);
      }
      throw wrong(text);
    }

    private InvalidValueException wrong(String text) {
      return new InvalidValueException(
          "%s must be of %d to %d, it is %s".formatted(title, least, most, text));
    }
  }

  /**
   * Parses a field.
   *
   * @throws InvalidValueException if it has no valid values of its range
   */
  static CronField read(Range range, String text) {
    long bits = 0;
    boolean open = false;
    for (String part : text.split(",", -1)) {
      String[] stepped = part.split("/", -1);
      if (stepped.length > 2) {
        throw new InvalidValueException(range.title + " has more than one step: " + part);
      }
      int step = stepped.length == 1 ? 1 : step(range, stepped[1]);
      boolean any = stepped[0].equals("*") || stepped[0].equals("?");
      String[] bounds = stepped[0].split("-", -1);
      if (bounds.length > 2) {
        throw new InvalidValueException(range.title + " is no range: " + part);
      }
      int from = any ? range.least : range.value(bounds[0]);
      // A single value with a step extends to the end of the range.
      int to =
          any || (bounds.length == 1 && stepped.length == 2)
              ? range.last()
              : range.value(bounds[bounds.length - 1]);
      if (from > to) {
        throw new InvalidValueException(range.title + " begins after its end: " + part);
      }
      for (int value = from; value <= to; value += step) {
        bits |= 1L << (range == Range.WEEKDAY ? value % 7 : value);
      }
      open |= any && step == 1;
    }
    return new CronField(range, bits, open);
  }

  private static int step(Range range, String text) {
    try {
      int step = Integer.parseInt(text);
      if (step >= 1 && step <= range.most) {
        return step;
      }
    } catch (NumberFormatException unreadable) {
      throw wrongStep(range, text);
    }
    throw wrongStep(range, text);
  }

  private static InvalidValueException wrongStep(Range range, String text) {
    return new InvalidValueException(
        "%s must step by 1 to %d, it steps by %s".formatted(range.title, range.most, text));
  }

  boolean has(int value) {
    return (bits >>> value & 1) != 0;
  }

  /** Whether every value is permitted. */
  boolean full() {
    return Long.bitCount(bits) == range.last() - range.least + 1;
  }

  int first() {
    return Long.numberOfTrailingZeros(bits);
  }

  /** The smallest permitted value that is not below the given one; -1 if there is none. */
  int from(int value) {
    long rest = value > range.last() ? 0 : bits >>> value << value;
    return rest == 0 ? -1 : Long.numberOfTrailingZeros(rest);
  }

  /** The field as values and ranges in ascending order, or {@code *}. */
  String written() {
    if (full()) {
      return "*";
    }
    StringJoiner parts = new StringJoiner(",");
    for (int low = first(); low >= 0; ) {
      int high = low;
      while (high < range.last() && has(high + 1)) {
        high++;
      }
      parts.add(low == high ? Integer.toString(low) : low + "-" + high);
      low = from(high + 1);
    }
    return parts.toString();
  }
}
