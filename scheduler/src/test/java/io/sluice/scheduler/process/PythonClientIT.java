// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks of the Python client: style, types, and its own tests against a server. */
class PythonClientIT {
  @Test
  @NeedsPython("ruff")
  void sourcesAreFormattedAndWithoutFindings(@TempDir Path scratch) throws Exception {
    PythonModule python = python(scratch);
    python.run(Map.of(), "ruff", "check", "--no-cache", ".");
    python.run(Map.of(), "ruff", "format", "--no-cache", "--check", ".");
  }

  @Test
  @NeedsPython({"mypy", "pytest", "httpx"})
  void typesAreComplete(@TempDir Path scratch) throws Exception {
    python(scratch).run(Map.of(), "mypy", "--cache-dir", scratch.resolve("mypy").toString());
  }

  @Test
  @NeedsPython({"pytest", "httpx"})
  void itsTestsPassAgainstAServer(@TempDir Path scratch) throws Exception {
    try (OneServer server = OneServer.start()) {
      python(scratch)
          .run(
              Map.of("SLUICE_TEST_DATA", server.data().toString()),
              "pytest",
              "-p",
              "no:cacheprovider");
    }
  }

  private static PythonModule python(Path scratch) {
    return new PythonModule("python", scratch, StartedServer.PATIENCE.multipliedBy(2));
  }
}
