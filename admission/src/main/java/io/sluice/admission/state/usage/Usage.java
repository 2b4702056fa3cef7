// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.usage;

import io.sluice.admission.placement.NodeUsage;
import io.sluice.admission.placement.PlacedPods;
import io.sluice.admission.placement.Topologies;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Amounts by number of (flavor, resource) that count against a ClusterQueue, with the places of the
 * pods that use them.
 */
public final class Usage {
  private final int node;
  private final int[] flavorResources;
  private final long[] amounts;
  private final List<PlacedPods> placed;

  private Usage(int node, int[] flavorResources, long[] amounts, List<PlacedPods> placed) {
    this.node = node;
    this.flavorResources = flavorResources;
    this.amounts = amounts;
    this.placed = List.copyOf(placed);
  }

  /**
   * Creates usage of one queue.
   *
   * @param node node of the ClusterQueue
   * @param amounts amounts by number of (flavor, resource)
   */
  public static Usage of(int node, Map<Integer, Long> amounts) {
    return of(node, amounts, List.of());
  }

  private static Usage of(int node, Map<Integer, Long> amounts, List<PlacedPods> placed) {
    int[] numbers = new int[amounts.size()];
    long[] values = new long[amounts.size()];
    int at = 0;
    for (Map.Entry<Integer, Long> entry : new TreeMap<>(amounts).entrySet()) {
      numbers[at] = entry.getKey();
      values[at] = entry.getValue();
      at++;
    }
    return new Usage(node, numbers, values, placed);
  }

  /** Returns the same amounts with other places of pods. */
  public Usage placed(List<PlacedPods> where) {
    return new Usage(node, flavorResources, amounts, where);
  }

  /** Returns the placed pods without amounts, for attempts whose quota is already counted. */
  public Usage withoutAmounts() {
    return new Usage(node, new int[0], new long[0], placed);
  }

  /** Returns the places of the pods that are placed. */
  public List<PlacedPods> placed() {
    return placed;
  }

  static Usage of(int node, Assignment assignment, FlavorResources numbers, Topologies topologies) {
    TreeMap<Integer, Long> sums = new TreeMap<>();
    for (PodSetAssignment podSet : assignment.podSets()) {
      for (Map.Entry<ResourceName, String> flavor : podSet.flavors().entrySet()) {
        int number = numbers.find(flavor.getValue(), flavor.getKey());
        sums.merge(number, podSet.usage().get(flavor.getKey()), Math::addExact);
      }
    }
    return of(node, sums, topologies.placed(assignment.podSets()));
  }

  /** Returns the node of the ClusterQueue. */
  public int node() {
    return node;
  }

  public int size() {
    return flavorResources.length;
  }

  public int flavorResource(int at) {
    return flavorResources[at];
  }

  public long amount(int at) {
    return amounts[at];
  }

  /** Returns the amounts by number of (flavor, resource). */
  public SortedMap<Integer, Long> amounts() {
    TreeMap<Integer, Long> byNumber = new TreeMap<>();
    for (int at = 0; at < amounts.length; at++) {
      byNumber.put(flavorResources[at], amounts[at]);
    }
    return byNumber;
  }

  /** Returns the amount of one (flavor, resource). */
  public long amountOf(int flavorResource) {
    for (int at = 0; at < amounts.length; at++) {
      if (flavorResources[at] == flavorResource) {
        return amounts[at];
      }
    }
    return 0;
  }

  /**
   * Returns whether another usage has the same amounts in the same queue, wherever its pods are.
   */
  public boolean hasAmountsOf(Usage other) {
    return node == other.node
        && Arrays.equals(flavorResources, other.flavorResources)
        && Arrays.equals(amounts, other.amounts);
  }

  /** Returns whether any amount is greater than that of another usage. */
  public boolean exceeds(Usage other) {
    for (int at = 0; at < amounts.length; at++) {
      if (amounts[at] > other.amountOf(flavorResources[at])) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether both use any (flavor, resource). */
  public boolean sharesAnyOf(Usage other) {
    for (int at = 0; at < amounts.length; at++) {
      if (amounts[at] > 0 && other.amountOf(flavorResources[at]) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether it uses any of the marked (flavor, resource). */
  public boolean usesAnyOf(boolean[] wanted) {
    for (int at = 0; at < amounts.length; at++) {
      if (amounts[at] > 0 && wanted[flavorResources[at]]) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether it fits the queue's available quota and the nodes. Nothing fits an overused
   * quota.
   */
  public boolean fitsIn(QuotaUsage total) {
    return fitsQuota(total) && fitsNodes(total.nodes());
  }

  /** Returns whether the nodes have room for the placed pods. */
  public boolean fitsNodes(NodeUsage nodes) {
    int fitting = 0;
    while (fitting < placed.size() && nodes.fits(placed.get(fitting))) {
      // The pods of the next entry may share these nodes.
      nodes.count(placed.get(fitting), 1);
      fitting++;
    }
    placed.subList(0, fitting).forEach(pods -> nodes.count(pods, -1));
    return fitting == placed.size();
  }

  /** Returns whether it fits the queue's available quota. */
  public boolean fitsQuota(QuotaUsage total) {
    for (int at = 0; at < amounts.length; at++) {
      if (amounts[at] > 0 && amounts[at] > total.available(node, flavorResources[at])) {
        return false;
      }
    }
    return true;
  }

  public void addTo(QuotaUsage total) {
    for (int at = 0; at < amounts.length; at++) {
      total.add(node, flavorResources[at], amounts[at]);
    }
    placed.forEach(pods -> total.nodes().count(pods, 1));
  }

  public void removeFrom(QuotaUsage total) {
    for (int at = 0; at < amounts.length; at++) {
      total.remove(node, flavorResources[at], amounts[at]);
    }
    placed.forEach(pods -> total.nodes().count(pods, -1));
  }
}
