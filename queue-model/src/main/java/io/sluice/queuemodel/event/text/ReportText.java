// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event.text;

/**
 * Untrusted text for people, made safe to store: from programs' files, pods and exceptions.
 * PostgreSQL refuses NUL, and UTF-8 has no lone surrogates, so one such character would keep the
 * whole report from being stored.
 */
public final class ReportText {
  /** The longest text that is kept, in UTF-16 code units. A {@link Checkpoint} is never longer. */
  public static final int LENGTH_MAX = 4096;

  private static final char REPLACEMENT = '\uFFFD';
  private static final String CUT = "...";

  private ReportText() {}

  /**
   * The text with U+FFFD for each NUL and each lone surrogate, cut to {@link #LENGTH_MAX}. A text
   * that can be stored as it is comes back as it is.
   */
  public static String of(String text) {
    String cut = text.length() <= LENGTH_MAX ? text : cut(text);
    if (isStorable(cut)) {
      return cut;
    }
    StringBuilder cleaned = new StringBuilder(cut.length());
    cut.codePoints()
        .map(character -> isStorable(character) ? character : REPLACEMENT)
        .forEach(cleaned::appendCodePoint);
    return cleaned.toString();
  }

  /** Whether every character of a text can be stored. */
  public static boolean isStorable(String text) {
    return text.codePoints().allMatch(ReportText::isStorable);
  }

  private static boolean isStorable(int codePoint) {
    boolean loneSurrogate =
        codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    return codePoint != 0 && !loneSurrogate;
  }

  /** Never between the two halves of a character. */
  private static String cut(String text) {
    int end = LENGTH_MAX - CUT.length();
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + CUT;
  }
}
