// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks of the Python client: style, types, and its own tests against a server. */
class PythonClientIT {
  private static final Path CLIENT =
      Path.of("..", "clients", "python").toAbsolutePath().normalize();
  private static final PythonModules PYTHON =
      new PythonModules(CLIENT, Map.of("PYTHONPATH", CLIENT.resolve("src").toString()));

  @Test
  @NeedsPython("ruff")
  void sourcesAreFormattedAndWithoutFindings(@TempDir Path scratch) throws Exception {
    PYTHON.run(scratch, Map.of(), "ruff", "check", "--no-cache", ".");
    PYTHON.run(scratch, Map.of(), "ruff", "format", "--no-cache", "--check", ".");
  }

  @Test
  @NeedsPython({"mypy", "pytest", "httpx", "yaml", "hatchling"})
  void typesAreComplete(@TempDir Path scratch) throws Exception {
    PYTHON.run(scratch, Map.of(), "mypy", "--cache-dir", scratch.resolve("mypy").toString());
  }

  @Test
  @NeedsPython({"pytest", "httpx", "yaml", "hatchling"})
  void itsTestsPassAgainstAServer(@TempDir Path scratch) throws Exception {
    try (OneServer server = OneServer.start()) {
      PYTHON.run(
          scratch,
          Map.of("SLUICE_TEST_DATA", server.data().toString()),
          "pytest",
          "-p",
          "no:cacheprovider");
    }
  }
}
