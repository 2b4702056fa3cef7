// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * The status file of a pod's wrapper: {@code begun} when the gate let the program run, and {@code
 * ended CODE}. The file gets its final name when it is complete.
 *
 * @param begun whether the program may have run
 * @param exitCode exit code of the pod's leader, or 128 plus the number of the signal that ended
 *     it; empty while it runs, or if its end was not recorded
 */
public record PodStatus(boolean begun, OptionalInt exitCode) {
  private static final String BEGUN = "begun";
  private static final String ENDED = "ended ";
  private static final String UNFINISHED = ".new";

  /**
   * Reads a status; a missing file means that nothing has begun.
   *
   * @param file the file's final name
   */
  static PodStatus read(Path file) {
    try {
      return parse(file);
    } catch (IOException notYet) {
      try {
        return parse(file.resolveSibling(file.getFileName() + UNFINISHED));
      } catch (IOException neither) {
        return readAgain(file); // it may have been renamed in between
      }
    }
  }

  private static PodStatus readAgain(Path file) {
    try {
      return parse(file);
    } catch (IOException nothing) {
      return new PodStatus(false, OptionalInt.empty());
    }
  }

  private static PodStatus parse(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    boolean begun = false;
    OptionalInt exitCode = OptionalInt.empty();
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      begun |= line.equals(BEGUN);
      if (line.startsWith(ENDED)) {
        try {
          exitCode = OptionalInt.of(Integer.parseInt(line.substring(ENDED.length())));
        } catch (NumberFormatException damaged) {
          throw new IOException(file + " is no status: " + line, damaged);
        }
      }
    }
    return new PodStatus(begun, exitCode);
  }
}
