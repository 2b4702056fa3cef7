// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.store.job.JobCounter;
import io.sluice.scheduler.store.job.JobCounter.Dimension;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields by which jobs are counted.
 *
 * @param stored fields that the database knows; none: only by blocker
 * @param blocker whether also by blocker, which only the engine's state tells
 */
record Grouping(JobCounter.Grouping stored, boolean blocker) {
  static final String BLOCKER = "blocker";

  private static final String LABEL = "label:";

  private static final Map<String, Dimension> DIMENSIONS = dimensionsByWord();

  private static Map<String, Dimension> dimensionsByWord() {
    Map<String, Dimension> dimensions = new LinkedHashMap<>();
    dimensions.put("state", Dimension.STATE);
    dimensions.put("queue", Dimension.QUEUE);
    dimensions.put("clusterQueue", Dimension.CLUSTER_QUEUE);
    dimensions.put("namespace", Dimension.NAMESPACE);
    dimensions.put("priorityClass", Dimension.PRIORITY_CLASS);
    dimensions.put("team", Dimension.TEAM);
    dimensions.put("computeClass", Dimension.COMPUTE_CLASS);
    return dimensions;
  }

  /** Reads words that are separated by commas. */
  static Grouping read(String by) {
    Set<Dimension> dimensions = EnumSet.noneOf(Dimension.class);
    boolean blocker = false;
    String label = null;
    for (String word : by.split(",", -1)) {
      Dimension dimension = DIMENSIONS.get(word);
      if (dimension != null) {
        dimensions.add(dimension);
      } else if (word.equals(BLOCKER)) {
        blocker = true;
      } else if (word.startsWith(LABEL)) {
        label = label(label, word.substring(LABEL.length()), by);
        dimensions.add(Dimension.LABEL);
      } else {
        throw unknown(by);
      }
    }
    return new Grouping(new JobCounter.Grouping(dimensions, label), blocker);
  }

  /**
   * @param before the key of an earlier word; null: there was none
   */
  private static String label(@Nullable String before, String key, String by) {
    if (before != null && !before.equals(key)) {
      throw ProblemException.badRequest(
          "by must name one label at most, it is " + Parameters.shown(by));
    }
    try {
      return Names.requireQualified(key);
    } catch (InvalidValueException invalid) {
      throw ProblemException.badRequest(
          "by must name a label as label:KEY: %s in %s"
              .formatted(invalid.getMessage(), Parameters.shown(by)));
    }
  }

  private static ProblemException unknown(String by) {
    List<String> words = new ArrayList<>(DIMENSIONS.keySet());
    words.add(BLOCKER);
    words.add(LABEL + "KEY");
    return ProblemException.badRequest(
        "by must be one or several of %s, separated by commas, it is %s"
            .formatted(String.join(", ", words), Parameters.shown(by)));
  }
}
