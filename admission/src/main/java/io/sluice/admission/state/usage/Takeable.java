// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.usage;

import io.sluice.admission.quota.QuotaTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Upper bounds of what the heads of one queue could take from others by eviction, by number of
 * (flavor, resource) and by the lowest priority of a head that may take it.
 */
public final class Takeable {
  /**
   * Of more priorities, some share a bound: an amount may then count from a lower priority on than
   * that which may take it.
   */
  private static final int PRIORITIES_MAX = 8;

  /**
   * A bound for heads from a priority on.
   *
   * @param amounts by number of (flavor, resource); includes what heads of lower priority may take
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record From(int priority, long[] amounts) {}

  private final int flavorResources;
  private final TreeMap<Integer, long[]> byPriority = new TreeMap<>();

  public Takeable(int flavorResources) {
    this.flavorResources = flavorResources;
  }

  /** Adds usage that heads from a priority on may take. */
  public void add(int priority, Usage usage) {
    long[] amounts = amounts(priority);
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      amounts[number] = QuotaTree.saturatedSum(amounts[number], usage.amount(at));
    }
  }

  /**
   * Records that heads from a priority on may take something that is no quota of their tree, such
   * as slices.
   */
  public void add(int priority) {
    long[] unused = amounts(priority);
  }

  private long[] amounts(int priority) {
    long[] known = byPriority.get(priority);
    if (known != null) {
      return known;
    }
    if (byPriority.size() >= PRIORITIES_MAX) {
      Map.Entry<Integer, long[]> below = byPriority.floorEntry(priority);
      if (below != null) {
        return below.getValue();
      }
      // The lowest must be exact, because heads below it may take nothing. The two highest join.
      Map.Entry<Integer, long[]> last = byPriority.pollLastEntry();
      long[] joined = byPriority.lastEntry().getValue();
      for (int number = 0; number < flavorResources; number++) {
        joined[number] = QuotaTree.saturatedSum(joined[number], last.getValue()[number]);
      }
    }
    long[] amounts = new long[flavorResources];
    byPriority.put(priority, amounts);
    return amounts;
  }

  /** Returns the bounds, lowest priority first; empty if nobody may take anything. */
  public List<From> bounds() {
    List<From> bounds = new ArrayList<>();
    long[] sum = new long[flavorResources];
    for (Map.Entry<Integer, long[]> entry : byPriority.entrySet()) {
      for (int number = 0; number < flavorResources; number++) {
        sum[number] = QuotaTree.saturatedSum(sum[number], entry.getValue()[number]);
      }
      bounds.add(new From(entry.getKey(), Arrays.copyOf(sum, flavorResources)));
    }
    return bounds;
  }
}
