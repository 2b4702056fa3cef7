// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.store.job.JobCounter.Dimension;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fields by which jobs are counted.
 *
 * @param dimensions of the database; empty: only by blocker
 * @param blocker whether also by blocker, which only the engine's state tells
 */
record Grouping(Set<Dimension> dimensions, boolean blocker) {
  static final String BLOCKER = "blocker";

  private static final Map<String, Dimension> DIMENSIONS = dimensionsByWord();

  Grouping {
    dimensions = Collections.unmodifiableSet(dimensions);
  }

  private static Map<String, Dimension> dimensionsByWord() {
    Map<String, Dimension> dimensions = new LinkedHashMap<>();
    dimensions.put("state", Dimension.STATE);
    dimensions.put("queue", Dimension.QUEUE);
    dimensions.put("clusterQueue", Dimension.CLUSTER_QUEUE);
    dimensions.put("namespace", Dimension.NAMESPACE);
    dimensions.put("priorityClass", Dimension.PRIORITY_CLASS);
    dimensions.put("team", Dimension.TEAM);
    return dimensions;
  }

  /** Reads words that are separated by commas. */
  static Grouping read(String by) {
    Set<Dimension> dimensions = EnumSet.noneOf(Dimension.class);
    boolean blocker = false;
    for (String word : by.split(",", -1)) {
      Dimension dimension = DIMENSIONS.get(word);
      if (dimension != null) {
        dimensions.add(dimension);
      } else if (word.equals(BLOCKER)) {
        blocker = true;
      } else {
        throw unknown(by);
      }
    }
    return new Grouping(dimensions, blocker);
  }

  private static ProblemException unknown(String by) {
    List<String> words = new ArrayList<>(DIMENSIONS.keySet());
    words.add(BLOCKER);
    return ProblemException.badRequest(
        "by must be one or several of %s, separated by commas, it is %s"
            .formatted(String.join(", ", words), Parameters.shown(by)));
  }
}
