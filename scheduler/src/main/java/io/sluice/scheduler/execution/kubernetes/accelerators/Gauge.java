// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.accelerators;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A sample line of Prometheus' text format.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format">the
 *     format</a>
 */
record Gauge(String name, Map<String, String> labels, double value) {

  /** Parses a line; null if it is not a sample: a comment, empty, or malformed. */
  static @Nullable Gauge parse(String line) {
    int open = line.indexOf('{');
    int space = line.indexOf(' ');
    if (space < 0 || line.startsWith("#")) {
      return null;
    }
    boolean labelled = open >= 0 && open < space;
    Labels labels = new Labels(line, labelled ? open + 1 : space);
    if (labelled && !labels.read()) {
      return null;
    }
    String[] rest = line.substring(labels.at).trim().split("\\s+", 2);
    try {
      String name = line.substring(0, labelled ? open : space).trim();
      return new Gauge(name, labels.found, Double.parseDouble(rest[0]));
    } catch (NumberFormatException noNumber) {
      return null;
    }
  }

  /** Parses {@code name="value",…}} from the first letter to after the brace. */
  private static final class Labels {
    private final String line;
    private final Map<String, String> found = new TreeMap<>();
    private int at;

    Labels(String line, int at) {
      this.line = line;
      this.at = at;
    }

    boolean read() {
      while (at < line.length() && line.charAt(at) != '}') {
        int equals = line.indexOf("=\"", at);
        if (equals < 0) {
          return false;
        }
        String name = line.substring(at, equals).trim();
        at = equals + 2;
        found.put(name, value());
        while (at < line.length() && (line.charAt(at) == ',' || line.charAt(at) == ' ')) {
          at++;
        }
      }
      at++;
      return at <= line.length();
    }

    private String value() {
      StringBuilder value = new StringBuilder();
      while (at < line.length() && line.charAt(at) != '"') {
        char letter = line.charAt(at++);
        if (letter == '\\' && at < line.length()) {
          char escaped = line.charAt(at++);
          value.append(escaped == 'n' ? '\n' : escaped);
        } else {
          value.append(letter);
        }
      }
      at++;
      return value.toString();
    }
  }
}
