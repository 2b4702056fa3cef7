// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Loads for tests. */
final class Loads {
  /** Two ClusterQueues with two small workloads and one large one each. */
  static final String TINY =
      """
      {"name": "tiny", "cohorts": 1, "clusterQueuesPerCohort": 2,
       "clusterQueue": {"nominalCpu": 4, "borrowingLimitCpu": 4,
        "preemption": {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"},
        "queueingStrategy": "BestEffortFIFO"},
       "workloadsPerClusterQueue": [
        {"class": "small", "count": 2, "everyMs": 10, "runMs": 20, "priority": 50, "requestCpu": 1},
        {"class": "large", "count": 1, "everyMs": 15, "runMs": 30, "priority": 200,
         "requestCpu": 4}],
       "totals": {"workloads": 6, "capacityBoundSeconds": 0.04, "lastArrivalSeconds": 0.02},
       "reference": {"system": "Other", "source": "measured", "wallSeconds": 3.5,
        "meanTimeToAdmissionSeconds": {"large": 1.25}, "quotaHeldPercent": 50.0,
        "usefulUsagePercent": 1.1},
       "note": "For tests."}
      """;

  private Loads() {}

  static Load tiny() {
    return read("tiny.json", TINY);
  }

  static Load read(String file, String json) {
    return LoadReader.read(file, json.getBytes(StandardCharsets.UTF_8));
  }

  /** Reads a load among the resources of the tests. */
  static Load shared(String file) throws IOException {
    try (InputStream in = Loads.class.getResourceAsStream(file)) {
      return LoadReader.read(file, Objects.requireNonNull(in, file).readAllBytes());
    }
  }
}
