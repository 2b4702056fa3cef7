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

  static QuotaTree tree(JsonNode objects, JsonNode usage, CaseFaults faults) {
    List<ClusterQueue> queues =
        faults.readAll("ClusterQueue", objects.path("clusterQueues"), ObjectReading::queue);
    List<Cohort> cohorts = faults.readAll("Cohort", objects.path("cohorts"), ObjectReading::cohort);
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

  /** Adds usage given by ClusterQueue, flavor and resource. */
  static void add(QuotaUsage usage, JsonNode byQueue, CaseFaults faults) {
    for (Map.Entry<String, JsonNode> queue : byQueue.properties()) {
      String name = queue.getKey();
      faults
          .read(
              "usage of ClusterQueue " + name,
              () -> {
                requireQueue(usage.tree(), name);
                return amounts(usage.tree(), queue.getValue());
              })
          .ifPresent(
              amounts ->
                  amounts.forEach(
                      (number, amount) -> usage.add(usage.tree().node(name), number, amount)));
    }
  }

  /** The node of a ClusterQueue that must be there. */
  static int requireQueue(QuotaTree tree, String name) {
    if (!tree.hasQueue(name)) {
      throw new UnanswerableCaseException("there is no ClusterQueue \"" + name + "\"");
    }
    return tree.node(name);
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
