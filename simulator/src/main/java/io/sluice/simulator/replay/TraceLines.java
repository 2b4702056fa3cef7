// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a UTF-8 text file, compressed by gzip or not, each of bounded length. */
final class TraceLines implements Closeable {
  /** Maximum length of a line in bytes. */
  static final int LINE_BYTES_MAX = 4_096;

  private static final int BUFFER_BYTES = 64 << 10;
  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;

  private final Path file;
  private final InputStream bytes;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final byte[] line = new byte[LINE_BYTES_MAX];
  private int at;
  private int end;
  private int number;

  TraceLines(Path file) throws IOException {
    this.file = file;
    InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    try {
      raw.mark(2);
      boolean compressed = raw.read() == GZIP_FIRST && raw.read() == GZIP_SECOND;
      raw.reset();
      if (!compressed && file.toString().endsWith(".gz")) {
        throw new TraceFaultException(
            file + " is not compressed by gzip, but its name ends in .gz");
      }
      this.bytes = compressed ? new GZIPInputStream(raw, BUFFER_BYTES) : raw;
    } catch (EOFException truncated) {
      raw.close();
      throw truncated();
    } catch (IOException failed) {
      raw.close();
      throw failed;
    }
  }

  /** Returns the number of the line that was returned last; the first line is 1. */
  int number() {
    return number;
  }

  /**
   * Returns the next line without its end; null after the last one.
   *
   * @throws TraceFaultException if the line is too long or not UTF-8, or the file is damaged
   */
  @Nullable String next() throws IOException {
    number++;
    int length = 0;
    while (true) {
      if (at == end && !fill()) {
        return length == 0 ? null : text(length);
      }
      byte read = buffer[at];
      at++;
      if (read == '\n') {
        return text(length > 0 && line[length - 1] == '\r' ? length - 1 : length);
      }
      if (length == LINE_BYTES_MAX) {
        throw new TraceFaultException(
            "%s, line %d is longer than %d bytes".formatted(file, number, LINE_BYTES_MAX));
      }
      line[length] = read;
      length++;
    }
  }

  private boolean fill() throws IOException {
    try {
      at = 0;
      end = Math.max(0, bytes.read(buffer));
      return end > 0;
    } catch (EOFException early) {
      throw truncated();
    } catch (ZipException damaged) {
      throw new TraceFaultException(
          "%s, line %d: the gzip data is damaged: %s"
              .formatted(file, number, damaged.getMessage()));
    }
  }

  private TraceFaultException truncated() {
    return new TraceFaultException(
        "%s, line %d: the gzip data ends early; copy the file again"
            .formatted(file, Math.max(1, number)));
  }

  private String text(int length) throws TraceFaultException {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(line, 0, length))
          .toString();
    } catch (CharacterCodingException notText) {
      throw new TraceFaultException("%s, line %d is not UTF-8 text".formatted(file, number));
    }
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
