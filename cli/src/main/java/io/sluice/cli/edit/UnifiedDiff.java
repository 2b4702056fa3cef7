// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.edit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The difference of two texts in the unified format, with three lines of context. Common lines are
 * a longest common subsequence, by dynamic programming over the lines between the common beginning
 * and the common end, in time and space of the product of their numbers. Beyond {@value
 * #CELLS_MAX}, these lines count as replaced altogether.
 */
final class UnifiedDiff {
  private static final int CONTEXT = 3;
  private static final long CELLS_MAX = 4_000_000;

  private final List<String> before;
  private final List<String> after;
  private final List<Edit> edits = new ArrayList<>();

  private UnifiedDiff(String before, String after) {
    this.before = before.lines().toList();
    this.after = after.lines().toList();
  }

  /** One line: common (a space), only before (a minus) or only after (a plus). */
  private record Edit(char sign, String line) {}

  /** Returns the hunks, each with its first line; empty if the texts are equal. */
  static List<String> hunks(String before, String after) {
    UnifiedDiff diff = new UnifiedDiff(before, after);
    diff.compare();
    return diff.hunks();
  }

  private void compare() {
    int head = 0;
    int shorter = Math.min(before.size(), after.size());
    while (head < shorter && before.get(head).equals(after.get(head))) {
      head++;
    }
    int tail = 0;
    while (tail < shorter - head
        && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
      tail++;
    }
    List<String> old = before.subList(head, before.size() - tail);
    List<String> now = after.subList(head, after.size() - tail);
    before.subList(0, head).forEach(line -> edits.add(new Edit(' ', line)));
    if ((long) old.size() * now.size() > CELLS_MAX) {
      old.forEach(line -> edits.add(new Edit('-', line)));
      now.forEach(line -> edits.add(new Edit('+', line)));
    } else {
      align(old, now);
    }
    before
        .subList(before.size() - tail, before.size())
        .forEach(line -> edits.add(new Edit(' ', line)));
  }

  private void align(List<String> old, List<String> now) {
    int[][] common = new int[old.size() + 1][now.size() + 1];
    for (int i = old.size() - 1; i >= 0; i--) {
      for (int j = now.size() - 1; j >= 0; j--) {
        common[i][j] =
            old.get(i).equals(now.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    int i = 0;
    int j = 0;
    while (i < old.size() || j < now.size()) {
      if (i < old.size() && j < now.size() && old.get(i).equals(now.get(j))) {
        edits.add(new Edit(' ', old.get(i)));
        i++;
        j++;
      } else if (i < old.size() && (j == now.size() || common[i + 1][j] >= common[i][j + 1])) {
        edits.add(new Edit('-', old.get(i)));
        i++;
      } else {
        edits.add(new Edit('+', now.get(j)));
        j++;
      }
    }
  }

  private List<String> hunks() {
    boolean[] shown = new boolean[edits.size()];
    for (int at = 0; at < edits.size(); at++) {
      if (edits.get(at).sign() != ' ') {
        Arrays.fill(
            shown, Math.max(0, at - CONTEXT), Math.min(edits.size(), at + CONTEXT + 1), true);
      }
    }
    List<String> lines = new ArrayList<>();
    int oldLine = 1;
    int newLine = 1;
    int at = 0;
    while (at < edits.size()) {
      if (!shown[at]) {
        oldLine++;
        newLine++;
        at++;
        continue;
      }
      int first = lines.size();
      int oldFirst = oldLine;
      int newFirst = newLine;
      for (; at < edits.size() && shown[at]; at++) {
        Edit edit = edits.get(at);
        lines.add(edit.sign() + edit.line());
        oldLine += edit.sign() == '+' ? 0 : 1;
        newLine += edit.sign() == '-' ? 0 : 1;
      }
      lines.add(
          first, "@@ -%s +%s @@".formatted(range(oldFirst, oldLine), range(newFirst, newLine)));
    }
    return lines;
  }

  /** Formats a range of lines; an empty one names the line before it. */
  private static String range(int first, int end) {
    int count = end - first;
    return (count == 0 ? first - 1 : first) + (count == 1 ? "" : "," + count);
  }
}
