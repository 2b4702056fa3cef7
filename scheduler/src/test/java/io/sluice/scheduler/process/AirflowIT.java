// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The checks of the package for Airflow: style, types, and DAGs that a real Airflow runs against a
 * server. They are for the profile {@code long}, and need a Python in which Airflow and the package
 * are installed.
 */
@Tag("long")
class AirflowIT {
  private static final Path CLIENTS = Path.of("..", "clients").toAbsolutePath().normalize();
  private static final PythonModules PYTHON =
      new PythonModules(
          CLIENTS.resolve("airflow"),
          Map.of(
              "PYTHONPATH",
              CLIENTS.resolve("airflow/src") + File.pathSeparator + CLIENTS.resolve("python/src")),
          Duration.ofMinutes(20));

  @Test
  @NeedsPython("ruff")
  void sourcesAreFormattedAndWithoutFindings(@TempDir Path scratch) throws Exception {
    PYTHON.run(scratch, Map.of(), "ruff", "check", "--no-cache", ".");
    PYTHON.run(scratch, Map.of(), "ruff", "format", "--no-cache", "--check", ".");
  }

  @Test
  @NeedsPython({"mypy", "pytest", "airflow", "sluice_airflow"})
  void typesAreComplete(@TempDir Path scratch) throws Exception {
    PYTHON.run(scratch, Map.of(), "mypy", "--cache-dir", scratch.resolve("mypy").toString());
  }

  @Test
  @NeedsPython({"pytest", "airflow", "sluice_airflow"})
  void itsDagsRunJobsOfAServer(@TempDir Path scratch) throws Exception {
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
