// SPDX-License-Identifier: Apache-2.0
package io.sluice.console;

import com.microsoft.playwright.impl.driver.Driver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The Node.js that Playwright's driver contains for this platform. */
final class NodeProgram {
  /** Reached only if something hangs. */
  private static final int PATIENCE_MINUTES = 5;

  private NodeProgram() {}

  /**
   * The end of a run.
   *
   * @param text what it printed
   */
  record Ended(int code, String text) {}

  /** Runs it in the folder of the module. */
  static Ended run(List<String> arguments) throws IOException, InterruptedException {
    Path folder =
        Driver.ensureDriverInstalled(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"), false)
            .driverDir();
    Path windows = folder.resolve("node.exe");
    Path program = Files.exists(windows) ? windows : folder.resolve("node");
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(arguments);
    Path printed = Files.createTempFile("console-checks", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(printed.toFile())
              .start();
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IllegalStateException("it does not end: " + command);
      }
      return new Ended(process.exitValue(), Files.readString(printed, StandardCharsets.UTF_8));
    } finally {
      Files.delete(printed);
    }
  }
}
