// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reports the changes of a run since the last call, as lines for a pipe or a file. */
final class RunProgress {
  private final Map<String, String> known = new TreeMap<>();

  /** Returns one line for each step whose state changed, and one for the run if its state did. */
  List<String> changes(JsonNode run, Instant now) {
    List<String> lines = new ArrayList<>();
    add("run " + run.path("name").asText(), run, now, lines);
    for (JsonNode step : run.path("steps")) {
      add("step " + step.path("name").asText(), step, now, lines);
    }
    return lines;
  }

  private void add(String what, JsonNode one, Instant now, List<String> lines) {
    String state = one.path("state").asText();
    if (!state.equals(known.put(what, state))) {
      String reason = one.path("reason").asText("");
      lines.add(
          "%s %s %s%s"
              .formatted(
                  now.truncatedTo(ChronoUnit.SECONDS),
                  what,
                  state,
                  reason.isEmpty() ? "" : ": " + reason));
    }
  }
}
