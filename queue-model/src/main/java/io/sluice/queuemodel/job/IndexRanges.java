// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * A set of indices as ranges, none of which touch: {@code 0-3,7}. Arrays mostly end in runs, so a
 * large one stays small here.
 */
public record IndexRanges(List<Range> ranges) {
  public static final IndexRanges NONE = new IndexRanges(List.of());

  public IndexRanges {
    ranges = List.copyOf(ranges);
  }

  /** A range of indices, both ends inclusive. */
  public record Range(int first, int last) {}

  /**
   * Reads what {@link #toString} writes, and nothing else: ascending ranges that do not touch.
   *
   * @throws InvalidValueException if the text is not that
   */
  public static IndexRanges parse(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    List<Range> ranges = new ArrayList<>();
    long lowestNext = 0;
    try {
      for (String part : text.split(",", -1)) {
        int dash = part.indexOf('-');
        int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
        int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
        if (first < lowestNext || last < first) {
          throw notRanges();
        }
        lowestNext = last + 2L;
        ranges.add(new Range(first, last));
      }
    } catch (NumberFormatException notNumber) {
      throw notRanges();
    }
    IndexRanges read = new IndexRanges(ranges);
    if (!read.toString().equals(text)) {
      throw notRanges();
    }
    return read;
  }

  private static InvalidValueException notRanges() {
    return new InvalidValueException("must be ranges of indices such as 0-3,7");
  }

  public boolean contains(int index) {
    int at = floor(index);
    return at >= 0 && index <= ranges.get(at).last();
  }

  public int size() {
    int size = 0;
    for (Range range : ranges) {
      size += length(range);
    }
    return size;
  }

  /**
   * The index at a place among all of them, counted from 0 in ascending order.
   *
   * @throws IndexOutOfBoundsException if there are not so many
   */
  public int at(int place) {
    int left = place;
    for (Range range : ranges) {
      if (left >= 0 && left < length(range)) {
        return range.first() + left;
      }
      left -= length(range);
    }
    throw new IndexOutOfBoundsException(place);
  }

  /**
   * The indices at some places among these, in ascending order: {@code 3} and {@code 9} of {@code
   * 3,7-9} at {@code 0,3}.
   *
   * @throws IndexOutOfBoundsException if there are not so many
   */
  public IndexRanges at(IndexRanges places) {
    List<Range> found = new ArrayList<>();
    int number = 0;
    int before = 0;
    for (Range place : places.ranges()) {
      int next = place.first();
      while (next <= place.last()) {
        while (number < ranges.size() && next - before >= length(ranges.get(number))) {
          before += length(ranges.get(number));
          number++;
        }
        if (number == ranges.size()) {
          throw new IndexOutOfBoundsException(next);
        }
        Range range = ranges.get(number);
        int first = range.first() + next - before;
        int last = Math.min(range.last(), range.first() + place.last() - before);
        append(found, new Range(first, last));
        next += last - first + 1;
      }
    }
    return new IndexRanges(found);
  }

  private static int length(Range range) {
    return range.last() - range.first() + 1;
  }

  /** Adds a range after the others, joined to the last one if they touch. */
  private static void append(List<Range> ranges, Range next) {
    int end = ranges.size() - 1;
    if (end >= 0 && ranges.get(end).last() + 1 == next.first()) {
      ranges.set(end, new Range(ranges.get(end).first(), next.last()));
    } else {
      ranges.add(next);
    }
  }

  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** The number after the last; 0 if there is none. */
  public int end() {
    return ranges.isEmpty() ? 0 : ranges.get(ranges.size() - 1).last() + 1;
  }

  /** These and one more; it must not be among them. */
  public IndexRanges with(int index) {
    if (contains(index)) {
      throw new IllegalArgumentException("index " + index + " is already in " + this);
    }
    int before = floor(index);
    int first = index;
    int last = index;
    int from = before + 1;
    int to = before + 1;
    if (before >= 0 && ranges.get(before).last() == index - 1) {
      first = ranges.get(before).first();
      from = before;
    }
    if (to < ranges.size() && ranges.get(to).first() == index + 1) {
      last = ranges.get(to).last();
      to++;
    }
    List<Range> merged = new ArrayList<>(ranges.subList(0, from));
    merged.add(new Range(first, last));
    merged.addAll(ranges.subList(to, ranges.size()));
    return new IndexRanges(merged);
  }

  /** Position of the last range that begins at the index or before it, -1 if none does. */
  private int floor(int index) {
    int low = 0;
    int high = ranges.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (ranges.get(middle).first() <= index) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(",");
    for (Range range : ranges) {
      text.add(
          range.first() == range.last()
              ? Integer.toString(range.first())
              : range.first() + "-" + range.last());
    }
    return text.toString();
  }
}
