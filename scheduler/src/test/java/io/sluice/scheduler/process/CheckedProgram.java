// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that a test runs to its end. */
final class CheckedProgram {
  private CheckedProgram() {}

  /**
   * Runs a program, and expects exit code 0.
   *
   * @param directory where it runs
   * @param environment added to that of this process
   * @param scratch where its output is kept until its end
   * @return what it printed, on both streams
   */
  static String run(
      Path directory, Map<String, String> environment, Path scratch, List<String> command)
      throws IOException, InterruptedException {
    Path printed = scratch.resolve("printed");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean ended = process.waitFor(StartedServer.PATIENCE.toSeconds() * 2, TimeUnit.SECONDS);
    process.destroyForcibly();
    String output = Files.readString(printed);
    assertThat(ended).as("%s has ended; it printed: %s", command, output).isTrue();
    assertThat(process.exitValue()).as("%s printed: %s", command, output).isZero();
    return output;
  }
}
