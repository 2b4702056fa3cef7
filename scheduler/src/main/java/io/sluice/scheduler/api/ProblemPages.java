// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

/** The text about each kind of problem, as the server shows it and as the reference has it. */
final class ProblemPages {
  private static final int COLUMNS_MAX = 120;

  private ProblemPages() {}

  /** The page that the {@code type} of a problem leads to. */
  static String page(ProblemKind kind) {
    return kind.code()
        + "\n\n"
        + section(kind)
        + "\nThe page docs/reference/problems.md has all kinds of problems.\n";
  }

  /** The reference of all kinds, in Markdown. */
  static String reference() {
    StringBuilder text = new StringBuilder();
    for (ProblemKind kind : ProblemKind.values()) {
      text.append(text.isEmpty() ? "" : "\n").append("## ").append(kind.code()).append("\n\n");
      text.append(section(kind));
    }
    return text.toString();
  }

  private static String section(ProblemKind kind) {
    StringBuilder text = new StringBuilder();
    text.append("Status %d, title: %s\n\n".formatted(kind.status(), kind.title()));
    text.append(wrapped(kind.meaning())).append('\n');
    text.append(wrapped("What to do: " + kind.remedy()));
    if (kind.retryAfterSeconds() > 0) {
      text.append("\nHeader `Retry-After`: %d\n".formatted(kind.retryAfterSeconds()));
    }
    return text.toString();
  }

  /** A paragraph in lines, with a line end after the last. */
  private static String wrapped(String paragraph) {
    StringBuilder text = new StringBuilder();
    int column = 0;
    for (String word : paragraph.split(" ", -1)) {
      if (column > 0 && column + 1 + word.length() > COLUMNS_MAX) {
        text.append('\n');
        column = 0;
      }
      if (column > 0) {
        text.append(' ');
        column++;
      }
      text.append(word);
      column += word.length();
    }
    return text.append('\n').toString();
  }
}
