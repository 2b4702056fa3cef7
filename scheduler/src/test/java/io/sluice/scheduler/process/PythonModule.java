// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs modules of Python, such as pytest, in the directory of a client. */
final class PythonModule {
  private static final Path CLIENTS = Path.of("..", "clients").toAbsolutePath().normalize();

  private final String client;
  private final Path scratch;
  private final Duration patience;

  /**
   * Creates a runner for one client.
   *
   * @param client the client's directory in {@code clients}
   * @param scratch a directory for what is printed
   * @param patience the longest run of a module
   */
  PythonModule(String client, Path scratch, Duration patience) {
    this.client = client;
    this.scratch = scratch;
    this.patience = patience;
  }

  /** Runs a module on the sources of the checkout, and expects exit code 0. */
  void run(Map<String, String> environment, String module, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(NeedsPython.Condition.python(), "-m", module));
    command.addAll(List.of(words));
    Path printed = scratch.resolve("printed");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(CLIENTS.resolve(client).toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    builder.environment().put("PYTHONPATH", sources());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean ended = process.waitFor(patience.toSeconds(), TimeUnit.SECONDS);
    process.destroyForcibly();
    String output = Files.readString(printed);
    assertThat(ended).as("%s has ended; it printed: %s", command, output).isTrue();
    assertThat(process.exitValue()).as("%s printed: %s", command, output).isZero();
  }

  private String sources() {
    return Stream.of(client, "python")
        .distinct()
        .map(one -> CLIENTS.resolve(one).resolve("src").toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
