// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The resource limits of a pod's processes, as arguments of {@code prlimit}. */
final class Limits {
  /** Open files of one process. */
  private static final long FILES_MAX = 65_536;

  /** Size of one file, which also stops a log that grows while no server bounds it. */
  private static final long FILE_BYTES_MAX = 256L << 30;

  private static final Path OWN = Path.of("/proc/self/limits");
  private static final String UNLIMITED = "unlimited";

  /** The columns of /proc/self/limits: name, soft limit, hard limit, unit. */
  private static final int NAME_WIDTH = 26;

  private static final int SOFT_WIDTH = 21;

  private Limits() {}

  /**
   * Returns the arguments. No limit exceeds the server's own hard limit, which a container may not
   * be able to raise.
   *
   * @param processesMax the most processes and threads of the account, which the kernel counts by
   *     user id
   */
  static List<String> arguments(int processesMax) throws IOException {
    List<String> known = Files.readAllLines(OWN, StandardCharsets.US_ASCII);
    return List.of(
        argument("nproc", Math.min(processesMax, hard(known, "Max processes"))),
        argument("nofile", Math.min(FILES_MAX, hard(known, "Max open files"))),
        argument("fsize", Math.min(FILE_BYTES_MAX, hard(known, "Max file size"))),
        argument("core", 0));
  }

  private static String argument(String name, long value) {
    return "--" + name + "=" + value + ":" + value;
  }

  private static long hard(List<String> lines, String name) throws IOException {
    for (String line : lines) {
      if (line.startsWith(name) && line.length() > NAME_WIDTH + SOFT_WIDTH) {
        String value = line.substring(NAME_WIDTH + SOFT_WIDTH).strip().split(" ", 2)[0];
        try {
          return value.equals(UNLIMITED) ? Long.MAX_VALUE : Long.parseLong(value);
        } catch (NumberFormatException changed) {
          break;
        }
      }
    }
    throw new IOException(OWN + " has no limit '" + name + "'");
  }
}
