// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Prints the lines of several pods, each behind the name of its pod in brackets, out of streams
 * that begin anew. The lines of one pod come in the same order in each stream; those of different
 * pods do not. So of each pod, as many lines are left out as were printed.
 */
final class NamedLines {
  private final PrintStream out;
  private final Map<String, Long> printed = new HashMap<>();
  private final Map<String, Long> seen = new HashMap<>();

  /** The begun line; the server breaks longer ones than 64 KiB. */
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  NamedLines(PrintStream out) {
    this.out = out;
  }

  /** Whether lines were printed. */
  boolean begun() {
    return !printed.isEmpty();
  }

  /** Begins another stream of the same log. */
  void restart() {
    seen.clear();
    line.reset();
  }

  /** Begins another log. */
  void forget() {
    printed.clear();
    restart();
  }

  /** Prints the lines that are whole, unless they were printed. */
  void write(byte[] bytes, int count) {
    int begin = 0;
    for (int at = 0; at < count; at++) {
      if (bytes[at] == '\n') {
        line.write(bytes, begin, at + 1 - begin);
        begin = at + 1;
        print();
      }
    }
    line.write(bytes, begin, count - begin);
  }

  private void print() {
    byte[] whole = line.toByteArray();
    line.reset();
    String pod = pod(whole);
    long number = seen.merge(pod, 1L, Long::sum);
    if (number > printed.getOrDefault(pod, 0L)) {
      printed.put(pod, number);
      out.write(whole, 0, whole.length);
    }
  }

  private static String pod(byte[] whole) {
    int end = 0;
    while (end < whole.length && whole[end] != ']') {
      end++;
    }
    return new String(whole, 0, end, StandardCharsets.UTF_8);
  }
}
