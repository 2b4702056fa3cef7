// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event.text;

import io.sluice.queuemodel.InvalidValueException;

/**
 * A line saved by a job, such as a path or a step number, from which a later start continues.
 * Nobody else reads it; it is handed on as it was reported.
 */
public final class Checkpoint {
  /** In UTF-8. Longer ones are refused, since a part of one names nothing. */
  public static final int BYTES_MAX = 4096;

  private Checkpoint() {}

  /**
   * Checks that a text can be handed on.
   *
   * @throws InvalidValueException if it is blank, longer than {@link #BYTES_MAX}, or has characters
   *     that do not print, as the end of a line
   */
  public static String requireText(String text) {
    if (text.isBlank()) {
      throw new InvalidValueException("must not be blank");
    }
    if (text.codePoints().anyMatch(Character::isISOControl) || !ReportText.isStorable(text)) {
      throw new InvalidValueException("must be one line of characters that print");
    }
    long bytes = text.codePoints().mapToLong(Checkpoint::bytes).sum();
    if (bytes > BYTES_MAX) {
      throw new InvalidValueException("must have at most " + BYTES_MAX + " bytes, it has " + bytes);
    }
    return text;
  }

  /** Of a character in UTF-8. */
  private static long bytes(int codePoint) {
    if (codePoint < 0x80) {
      return 1;
    }
    if (codePoint < 0x800) {
      return 2;
    }
    return codePoint < 0x10000 ? 3 : 4;
  }
}
