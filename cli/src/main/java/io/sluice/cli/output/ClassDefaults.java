// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import io.sluice.restmodel.job.FilledDefaults;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes the defaults that a compute class filled in for a submitted job. */
public final class ClassDefaults {
  private ClassDefaults() {}

  /**
   * Returns the text to append to the result of a submission; empty without defaults.
   *
   * @param defaults null: the class filled in none
   */
  public static String words(@Nullable FilledDefaults defaults) {
    if (defaults == null) {
      return "";
    }
    List<String> filled = new ArrayList<>();
    if (defaults.queue() != null) {
      filled.add("queue " + defaults.queue());
    }
    if (defaults.priorityClass() != null) {
      filled.add("priority class " + defaults.priorityClass());
    }
    if (defaults.selectors() != null) {
      filled.add("selectors");
    }
    return filled.isEmpty()
        ? ""
        : ", with %s from compute class %s"
            .formatted(String.join(", ", filled), defaults.computeClass());
  }
}
