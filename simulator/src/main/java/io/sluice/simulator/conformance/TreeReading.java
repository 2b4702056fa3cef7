// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the quota tree of a case and amounts by flavor and resource. */
final class TreeReading {
  private TreeReading() {}

  static QuotaTree tree(JsonNode objects, JsonNode usage) {
    List<ClusterQueue> queues = new ArrayList<>();
    objects.path("clusterQueues").forEach(queue -> queues.add(ObjectReading.queue(queue)));
    List<Cohort> cohorts = new ArrayList<>();
    objects.path("cohorts").forEach(cohort -> cohorts.add(ObjectReading.cohort(cohort)));
    List<FlavorResources.Pair> inUse = new ArrayList<>();
    for (JsonNode ofQueue : usage) {
      inUse.addAll(pairs(ofQueue));
    }
    try {
      return new QuotaTree(queues, cohorts, inUse);
    } catch (IllegalArgumentException circle) {
      throw new UnanswerableCaseException(String.valueOf(circle.getMessage()));
    }
  }

  private static List<FlavorResources.Pair> pairs(JsonNode byFlavor) {
    List<FlavorResources.Pair> pairs = new ArrayList<>();
    for (Map.Entry<String, JsonNode> flavor : byFlavor.properties()) {
      for (Map.Entry<String, JsonNode> resource : flavor.getValue().properties()) {
        pairs.add(new FlavorResources.Pair(flavor.getKey(), new ResourceName(resource.getKey())));
      }
    }
    return pairs;
  }

  /** Usage given by ClusterQueue, flavor and resource. */
  static void add(QuotaUsage usage, JsonNode byQueue) {
    for (Map.Entry<String, JsonNode> queue : byQueue.properties()) {
      int node = usage.tree().node(queue.getKey());
      amounts(usage.tree(), queue.getValue())
          .forEach((number, amount) -> usage.add(node, number, amount));
    }
  }

  /** Amounts by number of (flavor, resource); those that no quota names are left out. */
  static SortedMap<Integer, Long> amounts(QuotaTree tree, JsonNode byFlavor) {
    SortedMap<Integer, Long> amounts = new TreeMap<>();
    for (Map.Entry<String, JsonNode> flavor : byFlavor.properties()) {
      for (Map.Entry<String, JsonNode> entry : flavor.getValue().properties()) {
        ResourceName resource = new ResourceName(entry.getKey());
        int number = tree.flavorResources().find(flavor.getKey(), resource);
        if (number >= 0) {
          amounts.put(number, CaseFields.amount(entry.getValue(), resource));
        }
      }
    }
    return amounts;
  }

  static void put(ObjectNode byFlavor, QuotaTree tree, int number, long amount) {
    FlavorResources.Pair pair = tree.flavorResources().pair(number);
    ObjectNode resources =
        byFlavor.has(pair.flavor())
            ? (ObjectNode) byFlavor.get(pair.flavor())
            : byFlavor.putObject(pair.flavor());
    CaseFields.put(resources, pair.resource(), amount);
  }
}
