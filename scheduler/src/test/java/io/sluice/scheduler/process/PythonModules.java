// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
   * @return what it printed
   */
  String run(Path scratch, Map<String, String> further, String module, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(NeedsPython.Condition.python(), "-m", module));
    command.addAll(List.of(words));
    Map<String, String> all = new HashMap<>(Map.of("PYTHONDONTWRITEBYTECODE", "1"));
    all.putAll(environment);
    all.putAll(further);
    return CheckedProgram.run(directory, all, scratch, command);
  }
}
