// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Describes the defaults that a compute class filled in for a submitted job. */
public final class ClassDefaults {
  private ClassDefaults() {}

  /** Returns the text to append to the result of a submission; empty without defaults. */
  public static String words(JsonNode job) {
    JsonNode defaults = job.path("defaults");
    List<String> filled = new ArrayList<>();
    if (defaults.has("queue")) {
      filled.add("queue " + defaults.path("queue").asText());
    }
    if (defaults.has("priorityClass")) {
      filled.add("priority class " + defaults.path("priorityClass").asText());
    }
    if (defaults.has("selectors")) {
      filled.add("selectors");
    }
    return filled.isEmpty()
        ? ""
        : ", with %s from compute class %s"
            .formatted(String.join(", ", filled), defaults.path("computeClass").asText());
  }
}
