// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

/** Untrusted text for a message: one line, bounded, without invisible characters. */
final class Excerpt {
  private static final int FIRST_PRINTABLE = 0x20;

  private Excerpt() {}

  /** The text's beginning, at most so many characters; one that was cut ends in {@code …}. */
  static String of(String text, int lengthMax) {
    StringBuilder shown = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int codePoint = text.codePointAt(at);
      at += Character.charCount(codePoint);
      String next = visible(codePoint);
      boolean last = at == text.length();
      if (shown.length() + next.length() + (last ? 0 : 1) > lengthMax) {
        return shown.append('…').toString();
      }
      shown.append(next);
    }
    return shown.toString();
  }

  private static String visible(int codePoint) {
    return switch (codePoint) {
      case '\n' -> "\\n";
      case '\t' -> "\\t";
      case '\r' -> "\\r";
      default -> isVisible(codePoint) ? Character.toString(codePoint) : escape(codePoint);
    };
  }

  private static boolean isVisible(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> codePoint >= FIRST_PRINTABLE;
    };
  }

  private static String escape(int codePoint) {
    return String.format("\\u%04x", codePoint);
  }
}
