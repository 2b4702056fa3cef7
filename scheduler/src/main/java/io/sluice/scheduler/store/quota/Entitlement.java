// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.quota;

import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the nodes of a team in the quota tree add up to. As stored: what administrators gave to the
 * team.
 *
 * @param amounts without entry: nothing of the resource in the flavor
 */
public record Entitlement(SortedMap<Pair, Amounts> amounts) {
  /** No quota, and nothing to borrow. */
  public static final Entitlement NONE = new Entitlement(new TreeMap<>());

  public Entitlement {
    amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
  }

  /** As {@link #Entitlement(SortedMap)}, of amounts in any order. */
  public static Entitlement of(Map<Pair, Amounts> amounts) {
    return new Entitlement(new TreeMap<>(amounts));
  }

  /** A resource of a flavor. */
  public record Pair(String flavor, ResourceName resource) implements Comparable<Pair> {
    private static final Comparator<Pair> ORDER =
        Comparator.comparing(Pair::flavor).thenComparing(Pair::resource);

    @Override
    public int compareTo(Pair other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * Amounts in the counted unit of the resource; the largest long means without limit.
   *
   * @param nominal the nominal quota of all nodes together
   * @param borrowed the most that all nodes may borrow from others together, if these lend without
   *     limit
   * @param kept the part of the nominal quota that nobody else may borrow
   */
  public record Amounts(long nominal, long borrowed, long kept) {
    public static final Amounts NONE = new Amounts(0, 0, 0);
  }

  /** The amounts of a pair. */
  public Amounts of(Pair pair) {
    return amounts.getOrDefault(pair, Amounts.NONE);
  }
}
