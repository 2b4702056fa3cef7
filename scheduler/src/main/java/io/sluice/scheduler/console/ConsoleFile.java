// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.console;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * A file of the console as it is sent.
 *
 * @param type its media type
 * @param plain its bytes
 * @param compressed the same by gzip
 */
record ConsoleFile(String type, Buffer plain, Buffer compressed) {
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html;charset=utf-8",
          "js", "text/javascript;charset=utf-8",
          "css", "text/css;charset=utf-8",
          "svg", "image/svg+xml",
          "txt", "text/plain;charset=utf-8");

  /** Creates the file of a name, whose ending tells its type. */
  static ConsoleFile of(String name, byte[] bytes) {
    String ending = name.substring(name.lastIndexOf('.') + 1);
    String type = TYPES.getOrDefault(ending, "text/plain;charset=utf-8");
    return new ConsoleFile(type, Buffer.buffer(bytes), Buffer.buffer(compress(bytes)));
  }

  private static byte[] compress(byte[] bytes) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return compressed.toByteArray();
  }
}
