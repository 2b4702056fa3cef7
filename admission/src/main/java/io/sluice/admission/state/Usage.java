// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.quota.FlavorResources;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.PodSetAssignment;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Amounts by number of (flavor, resource), as they are counted in one ClusterQueue. */
public final class Usage {
  private final int node;
  private final int[] flavorResources;
  private final long[] amounts;

  private Usage(int node, int[] flavorResources, long[] amounts) {
    this.node = node;
    this.flavorResources = flavorResources;
    this.amounts = amounts;
  }

  /**
   * Sums amounts of one queue.
   *
   * @param node of the ClusterQueue
   * @param amounts by number of (flavor, resource)
   */
  public static Usage of(int node, Map<Integer, Long> amounts) {
    int[] numbers = new int[amounts.size()];
    long[] values = new long[amounts.size()];
    int at = 0;
    for (Map.Entry<Integer, Long> entry : new TreeMap<>(amounts).entrySet()) {
      numbers[at] = entry.getKey();
      values[at] = entry.getValue();
      at++;
    }
    return new Usage(node, numbers, values);
  }

  static Usage of(int node, Assignment assignment, FlavorResources numbers) {
    TreeMap<Integer, Long> sums = new TreeMap<>();
    for (PodSetAssignment podSet : assignment.podSets()) {
      for (Map.Entry<ResourceName, String> flavor : podSet.flavors().entrySet()) {
        int number = numbers.find(flavor.getValue(), flavor.getKey());
        sums.merge(number, podSet.usage().get(flavor.getKey()), Math::addExact);
      }
    }
    return of(node, sums);
  }

  /** The node of the queue whose quota is used. */
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

  /** The amounts by number of (flavor, resource). */
  public SortedMap<Integer, Long> amounts() {
    TreeMap<Integer, Long> byNumber = new TreeMap<>();
    for (int at = 0; at < amounts.length; at++) {
      byNumber.put(flavorResources[at], amounts[at]);
    }
    return byNumber;
  }

  /** How much of it is of one (flavor, resource). */
  public long amountOf(int flavorResource) {
    for (int at = 0; at < amounts.length; at++) {
      if (flavorResources[at] == flavorResource) {
        return amounts[at];
      }
    }
    return 0;
  }

  /** Whether any of it is of a (flavor, resource) that is wanted. */
  public boolean usesAnyOf(boolean[] wanted) {
    for (int at = 0; at < amounts.length; at++) {
      if (amounts[at] > 0 && wanted[flavorResources[at]]) {
        return true;
      }
    }
    return false;
  }

  /** Whether the queue could take all of it; nothing can be taken of what is overused. */
  public boolean fitsIn(QuotaUsage total) {
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
  }

  public void removeFrom(QuotaUsage total) {
    for (int at = 0; at < amounts.length; at++) {
      total.remove(node, flavorResources[at], amounts[at]);
    }
  }
}
