// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.logs;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Takes the lines of a log out of streams in which each line stands behind its time, and leaves out
 * what an earlier stream had. The API of Kubernetes has no offsets: it can only be asked for the
 * lines from a second on. So the place in the log is the time of the last line, the number of whole
 * lines of that time, and the number of bytes of a line that is not whole. Lines without a time are
 * not of the container: a kubelet writes errors of its own into the stream; they are left out.
 *
 * <p>Not thread-safe. Memory is constant.
 */
final class StampedLines {
  private static final int STAMP_BYTES_MAX = 64;

  private @Nullable Instant last;
  private int wholeLines;
  private long partBytes;

  // The place at which the present stream takes over.
  private @Nullable Instant resumeAt;
  private int resumeLines;
  private long resumeBytes;

  // The present line of the present stream.
  private final ByteArrayOutputStream stamp = new ByteArrayOutputStream(STAMP_BYTES_MAX);
  private boolean inText;
  private boolean leftOut;
  private boolean counted;
  private long lineBytes;
  private long leftOutBytes;

  /** The time of the last line; null: there was none yet. */
  @Nullable Instant last() {
    return last;
  }

  /** Begins another stream, from the second of {@link #last} on. */
  void restart() {
    resumeAt = last;
    resumeLines = wholeLines;
    resumeBytes = partBytes;
    endLine();
  }

  private void endLine() {
    stamp.reset();
    inText = false;
  }

  /** Appends the text of the next bytes of the stream. */
  void take(byte[] bytes, int from, int to, ByteArrayOutputStream text) {
    int at = from;
    while (at < to) {
      at = inText ? takeText(bytes, at, to, text) : takeStamp(bytes, at, to);
    }
  }

  private int takeStamp(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes[at] == ' ' || stamp.size() == STAMP_BYTES_MAX) {
        begin(time(stamp.toString(StandardCharsets.US_ASCII)));
        return at + 1;
      }
      if (bytes[at] == '\n') {
        endLine();
        return at + 1;
      }
      stamp.write(bytes[at]);
    }
    return to;
  }

  private static @Nullable Instant time(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException none) {
      return null;
    }
  }

  /** Begins the text of a line. */
  private void begin(@Nullable Instant time) {
    inText = true;
    leftOutBytes = 0;
    leftOut = time == null || isBefore(time);
    if (time == null || leftOut) {
      return;
    }
    // Lines of two outputs may stand in another order than their times, by very little.
    counted = last == null || !time.isBefore(last);
    if (counted) {
      wholeLines = time.equals(last) ? wholeLines : 0;
      partBytes = leftOutBytes; // what an earlier stream had of it
      lineBytes = 0;
      last = time;
    }
  }

  /** Whether an earlier stream had the whole line; notes how much of it one had. */
  private boolean isBefore(Instant time) {
    Instant place = resumeAt;
    if (place == null) {
      return false;
    }
    int order = time.compareTo(place);
    if (order == 0 && resumeLines > 0) {
      resumeLines--;
      return true;
    }
    if (order < 0) {
      return true;
    }
    leftOutBytes = order == 0 ? resumeBytes : 0;
    resumeBytes = 0;
    resumeAt = order == 0 ? place : null;
    return false;
  }

  private int takeText(byte[] bytes, int from, int to, ByteArrayOutputStream text) {
    int end = from;
    while (end < to && bytes[end] != '\n') {
      end++;
    }
    boolean whole = end < to;
    int next = whole ? end + 1 : end;
    if (!leftOut) {
      int skipped = (int) Math.min(leftOutBytes, end - from);
      leftOutBytes -= skipped;
      text.write(bytes, from + skipped, next - from - skipped);
      if (counted) {
        lineBytes += end - from;
        partBytes = whole ? 0 : Math.max(partBytes, lineBytes);
        wholeLines += whole ? 1 : 0;
      }
    }
    if (whole) {
      endLine();
    }
    return next;
  }
}
