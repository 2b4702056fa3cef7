// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import io.sluice.queuemodel.InvalidValueException;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the journal: after an event, or after a whole batch.
 *
 * @param sequence of the batch
 * @param position of the event in the batch; {@link #END} means after the whole batch
 */
public record EventId(long sequence, int position) implements Comparable<EventId> {
  /** Later than any position in a batch. */
  static final int END = Integer.MAX_VALUE;

  private static final Pattern NOTATION = Pattern.compile("(\\d{1,18})(?:\\.(\\d{1,9}))?");
  private static final Comparator<EventId> ORDER =
      Comparator.comparingLong(EventId::sequence).thenComparingInt(EventId::position);

  /** The place after a whole batch. */
  public static EventId after(long sequence) {
    return new EventId(sequence, END);
  }

  /**
   * Reads {@code sequence.position}, or {@code sequence} for the place after the whole batch.
   *
   * @throws InvalidValueException if the text is neither
   */
  public static EventId parse(String text) {
    Matcher parts = NOTATION.matcher(text);
    if (!parts.matches()) {
      throw new InvalidValueException(
          "must be the id of an event, as 417.2, or the sequence of a batch, as 417");
    }
    long sequence = Long.parseLong(parts.group(1));
    String position = parts.group(2);
    return position == null ? after(sequence) : new EventId(sequence, Integer.parseInt(position));
  }

  @Override
  public int compareTo(EventId other) {
    return ORDER.compare(this, other);
  }

  /** The later one of two places. */
  static EventId later(EventId one, EventId other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  @Override
  public String toString() {
    return position == END ? Long.toString(sequence) : sequence + "." + position;
  }
}
