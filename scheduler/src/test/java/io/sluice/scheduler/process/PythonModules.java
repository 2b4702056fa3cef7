// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs modules of the Python that {@link NeedsPython} found.
 *
 * @param directory where they run
 * @param environment of all of them
 */
record PythonModules(Path directory, Map<String, String> environment) {
  /**
   * Runs a module, and expects exit code 0.
   *
   * @param scratch where its output is kept until then
   * @param further environment of this run
   */
  void run(Path scratch, Map<String, String> further, String module, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(NeedsPython.Condition.python(), "-m", module));
    command.addAll(List.of(words));
    Path printed = scratch.resolve("printed");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().putAll(environment);
    builder.environment().putAll(further);
    Process process = builder.start();
    boolean ended = process.waitFor(StartedServer.PATIENCE.toSeconds() * 2, TimeUnit.SECONDS);
    process.destroyForcibly();
    String output = Files.readString(printed);
    assertThat(ended).as("%s has ended; it printed: %s", command, output).isTrue();
    assertThat(process.exitValue()).as("%s printed: %s", command, output).isZero();
  }
}
