// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.console;

import io.vertx.core.buffer.Buffer;
import java.util.Map;

/**
 * A file of the console.
 *
 * @param type its media type
 */
record ConsoleFile(String type, Buffer content) {
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
    return new ConsoleFile(type, Buffer.buffer(bytes));
  }
}
