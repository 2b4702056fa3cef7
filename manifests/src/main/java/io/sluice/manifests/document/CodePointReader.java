// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * A reader of YAML whose whole text is an array of code points. The reader of the library copies
 * all that it has looked ahead of whenever it reads 1,024 characters more, so that one long scalar,
 * comment or name costs the square of its length. Here every operation costs the characters that it
 * hands over.
 */
final class CodePointReader extends StreamReader {
  private static final String NAME = "text";
  private static final int BYTE_ORDER_MARK = 0xfeff;
  private static final int NEXT_LINE = 0x85;
  private static final int LINE_SEPARATOR = 0x2028;
  private static final int PARAGRAPH_SEPARATOR = 0x2029;

  private final int[] codePoints;
  private final int firstUnprintable;
  private int pointer;
  private int documentIndex;
  private int line;
  private int column;

  CodePointReader(String text) {
    super("");
    codePoints = text.codePoints().toArray();
    int printable = 0;
    while (printable < codePoints.length && isPrintable(codePoints[printable])) {
      printable++;
    }
    firstUnprintable = printable;
  }

  @Override
  public Mark getMark() {
    return new Mark(NAME, pointer, line, column, codePoints, pointer);
  }

  @Override
  public void forward() {
    forward(1);
  }

  @Override
  public void forward(int length) {
    for (int step = 0; step < length && pointer < codePoints.length; step++) {
      int codePoint = peek();
      pointer++;
      documentIndex++;
      if (endsLine(codePoint)) {
        line++;
        column = 0;
      } else if (codePoint != BYTE_ORDER_MARK) {
        column++;
      }
    }
  }

  /** Whether a line ends with the code point that was just passed; CR LF ends one line. */
  private boolean endsLine(int codePoint) {
    return switch (codePoint) {
      case '\n', NEXT_LINE, LINE_SEPARATOR, PARAGRAPH_SEPARATOR -> true;
      case '\r' -> pointer < codePoints.length && codePoints[pointer] != '\n';
      default -> false;
    };
  }

  @Override
  public int peek() {
    return peek(0);
  }

  /**
   * The code point at a distance; 0 behind the end.
   *
   * @throws ReaderException if it is one that YAML does not permit
   */
  @Override
  public int peek(int distance) {
    int at = pointer + distance;
    if (at >= codePoints.length) {
      return 0;
    }
    if (at >= firstUnprintable) {
      throw new ReaderException(
          NAME,
          firstUnprintable,
          codePoints[firstUnprintable],
          "special characters are not allowed");
    }
    return codePoints[at];
  }

  @Override
  public String prefix(int length) {
    return new String(codePoints, pointer, Math.min(length, codePoints.length - pointer));
  }

  /** The next code points, of which none ends a line, and goes on behind them. */
  @Override
  public String prefixForward(int length) {
    String prefix = prefix(length);
    pointer += length;
    documentIndex += length;
    column += length;
    return prefix;
  }

  @Override
  public int getColumn() {
    return column;
  }

  @Override
  public int getDocumentIndex() {
    return documentIndex;
  }

  @Override
  public void resetDocumentIndex() {
    documentIndex = 0;
  }

  @Override
  public int getIndex() {
    return pointer;
  }

  @Override
  public int getLine() {
    return line;
  }
}
