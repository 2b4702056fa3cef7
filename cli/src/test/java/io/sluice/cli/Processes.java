// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs commands from the test's class path, each in a JVM with a folder for its configuration. */
final class Processes {
  private static final long SECONDS_MAX = 120;

  private Processes() {}

  /** The output of a command, standard error included, and its exit code. */
  record Ended(int exitCode, String text) {}

  /** Runs a command without any server in its environment. */
  static Ended run(Path configuration, String... arguments)
      throws IOException, InterruptedException {
    return run(Map.of("XDG_CONFIG_HOME", configuration.toString()), arguments);
  }

  /** Runs a command with these variables, and without any server in its environment. */
  static Ended run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.sluice.cli.Main"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("SLUICE_"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(String.join(" ", arguments) + " does not end");
    }
    return new Ended(process.exitValue(), text);
  }
}
