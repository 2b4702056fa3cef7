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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks of the Python client: style, types, and its own tests against a server. */
class PythonClientIT {
  private static final Path CLIENT =
      Path.of("..", "clients", "python").toAbsolutePath().normalize();

  @Test
  @NeedsPython("ruff")
  void sourcesAreFormattedAndWithoutFindings(@TempDir Path scratch) throws Exception {
    run(scratch, Map.of(), "ruff", "check", "--no-cache", ".");
    run(scratch, Map.of(), "ruff", "format", "--no-cache", "--check", ".");
  }

  @Test
  @NeedsPython({"mypy", "pytest", "httpx"})
  void typesAreComplete(@TempDir Path scratch) throws Exception {
    run(scratch, Map.of(), "mypy", "--cache-dir", scratch.resolve("mypy").toString());
  }

  @Test
  @NeedsPython({"pytest", "httpx"})
  void itsTestsPassAgainstAServer(@TempDir Path scratch) throws Exception {
    try (OneServer server = OneServer.start()) {
      run(
          scratch,
          Map.of("SLUICE_TEST_DATA", server.data().toString()),
          "pytest",
          "-p",
          "no:cacheprovider");
    }
  }

  /** Runs a module of Python in the directory of the client, and expects exit code 0. */
  private static void run(
      Path scratch, Map<String, String> environment, String module, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(NeedsPython.Condition.python(), "-m", module));
    command.addAll(List.of(words));
    Path printed = scratch.resolve("printed");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(CLIENT.toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    builder.environment().put("PYTHONPATH", CLIENT.resolve("src").toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean ended = process.waitFor(StartedServer.PATIENCE.toSeconds() * 2, TimeUnit.SECONDS);
    process.destroyForcibly();
    String output = Files.readString(printed);
    assertThat(ended).as("%s has ended; it printed: %s", command, output).isTrue();
    assertThat(process.exitValue()).as("%s printed: %s", command, output).isZero();
  }
}
