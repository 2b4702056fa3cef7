// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import com.microsoft.playwright.Locator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The structure of a page as screen readers tell it: landmarks, headings, controls, and the heads
 * of tables. Texts and entries of lists and tables are left out. A line is a role and a name, and
 * is indented by what it is in.
 */
final class Outline {
  private static final Set<String> KEPT =
      Set.of(
          "banner",
          "navigation",
          "main",
          "region",
          "search",
          "form",
          "dialog",
          "alert",
          "heading",
          "table",
          "columnheader",
          "group",
          "link",
          "button",
          "textbox",
          "searchbox",
          "combobox",
          "checkbox",
          "spinbutton",
          "slider");

  /** Their content is data. */
  private static final Set<String> DATA = Set.of("row", "list", "combobox", "textbox", "img");

  /** A role, a name if there is one, and states; the snapshot quotes some of its lines. */
  private static final Pattern LINE =
      Pattern.compile(
          "( *)- '?([a-z]+)(?: (\"(?:[^\"\\\\]|\\\\.)*\"|/.*/))?((?: \\[[^\\]]*\\])*).*");

  private static final String ID = "[0-9a-f-]{36}";
  private static final String AMOUNTS_OF_TIME = "(\\d+[smhdw] ?)+";
  private static final String NUMBER = "\\d[\\d:.,]*";

  /** What may differ from run to run; a number within a word, such as v6e, does not. */
  private static final Pattern VOLATILE =
      Pattern.compile(
          "(?<![A-Za-z0-9])(%s|%s|%s)(?![A-Za-z0-9])".formatted(ID, AMOUNTS_OF_TIME, NUMBER));

  private final List<String> lines;

  private Outline(List<String> lines) {
    this.lines = lines;
  }

  /** Reads a part of a page as it is now. */
  static Outline of(Locator part) {
    return ofSnapshot(part.ariaSnapshot());
  }

  private static Outline ofSnapshot(String snapshot) {
    List<String> lines = new ArrayList<>();
    Deque<Integer> within = new ArrayDeque<>(); // the indents of kept lines
    int dataIndent = Integer.MAX_VALUE;
    for (String line : snapshot.split("\n", -1)) {
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        continue;
      }
      int indent = parts.group(1).length();
      if (indent > dataIndent && !isHead(parts.group(2))) {
        continue;
      }
      if (indent <= dataIndent) {
        dataIndent = DATA.contains(parts.group(2)) ? indent : Integer.MAX_VALUE;
      }
      while (!within.isEmpty() && within.peek() >= indent) {
        within.pop();
      }
      if (KEPT.contains(parts.group(2))) {
        lines.add("  ".repeat(within.size()) + "- " + content(parts));
        within.push(indent);
      }
    }
    return new Outline(lines);
  }

  private static boolean isHead(String role) {
    return role.equals("columnheader");
  }

  private static String content(Matcher parts) {
    String name = parts.group(3) == null ? "" : " " + parts.group(3);
    return parts.group(2) + name + parts.group(4);
  }

  /** Returns the lines, in which a pattern stands for each name that differs from run to run. */
  String golden() {
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      Matcher parts = LINE.matcher(line);
      if (parts.matches() && parts.group(3) != null && VOLATILE.matcher(parts.group(3)).find()) {
        String name = parts.group(3).substring(1, parts.group(3).length() - 1);
        String pattern = patternOf(name.replace("\\\"", "\""));
        text.append(parts.group(1) + "- " + parts.group(2) + " /" + pattern + "/" + parts.group(4));
      } else {
        text.append(line);
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static String patternOf(String name) {
    StringBuilder pattern = new StringBuilder();
    Matcher found = VOLATILE.matcher(name);
    int end = 0;
    while (found.find()) {
      pattern.append(literal(name.substring(end, found.start()))).append(kindOf(found.group()));
      end = found.end();
    }
    return pattern.append(literal(name.substring(end))).toString();
  }

  private static String kindOf(String text) {
    if (text.matches(NUMBER)) {
      return NUMBER;
    }
    return text.matches(AMOUNTS_OF_TIME) ? AMOUNTS_OF_TIME : ID;
  }

  private static String literal(String text) {
    return text.replaceAll("[\\\\^$.|?*+()\\[\\]{}]", "\\\\$0");
  }

  /**
   * Returns a golden text in which each line that this outline meets at its place is replaced by
   * that of the outline. The result equals {@link #toString} if the page is as it should be.
   */
  String resolve(String golden) {
    List<String> wanted = golden.lines().toList();
    StringBuilder resolved = new StringBuilder();
    for (int i = 0; i < wanted.size(); i++) {
      boolean same = i < lines.size() && meets(wanted.get(i), lines.get(i));
      resolved.append(same ? lines.get(i) : wanted.get(i)).append('\n');
    }
    return resolved.toString();
  }

  private static boolean meets(String wanted, String line) {
    Matcher golden = LINE.matcher(wanted);
    Matcher now = LINE.matcher(line);
    if (!golden.matches() || !now.matches() || golden.group(3) == null || now.group(3) == null) {
      return wanted.equals(line);
    }
    if (!golden.group(3).startsWith("/")) {
      return wanted.equals(line);
    }
    String pattern = golden.group(3).substring(1, golden.group(3).length() - 1);
    String name = now.group(3).substring(1, now.group(3).length() - 1).replace("\\\"", "\"");
    return golden.group(1).equals(now.group(1))
        && golden.group(2).equals(now.group(2))
        && golden.group(4).equals(now.group(4))
        && name.matches(pattern);
  }

  @Override
  public String toString() {
    return String.join("\n", lines) + "\n";
  }
}
