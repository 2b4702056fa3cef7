// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import io.sluice.cli.output.Cell;
import io.sluice.cli.output.RunPage;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.restmodel.pipeline.RunStep;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reports the changes of a run since the last call, as lines for a pipe or a file. */
final class RunProgress {
  private final Map<String, String> known = new TreeMap<>();

  /** Returns one line for each step whose state changed, and one for the run if its state did. */
  List<String> changes(Run run, Instant now) {
    List<String> lines = new ArrayList<>();
    add("run " + run.name(), run.state(), run.reason(), now, lines);
    for (RunStep step : RunPage.steps(run)) {
      add("step " + step.name(), Cell.orEmpty(step.state()), step.reason(), now, lines);
    }
    return lines;
  }

  private void add(
      String what, String state, @Nullable String reason, Instant now, List<String> lines) {
    if (!state.equals(known.put(what, state))) {
      lines.add(
          "%s %s %s%s"
              .formatted(
                  now.truncatedTo(ChronoUnit.SECONDS),
                  what,
                  state,
                  reason == null ? "" : ": " + reason));
    }
  }
}
