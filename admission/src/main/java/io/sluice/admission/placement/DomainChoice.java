// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the domains that hold all pods together: one domain of the requested level if possible.
 * If the level is only preferred, it tries the next wider levels, and finally the fewest domains of
 * the widest level.
 */
final class DomainChoice {
  /**
   * The chosen domains.
   *
   * @param domains domains of one level; empty if none suffice
   * @param fit number of bundles that fit, if none suffice
   */
  record Chosen(int level, List<Integer> domains, int fit) {
    boolean found() {
      return !domains.isEmpty();
    }
  }

  private final NodeTopology topology;
  private final DomainCounts counts;
  private final DomainOrder order;
  private final PlacementShape shape;
  private final int bundles;
  private final int leaders;

  DomainChoice(DomainCounts counts, DomainOrder order, int pods, int leaders) {
    this.topology = counts.topology();
    this.counts = counts;
    this.order = order;
    this.shape = counts.shape();
    this.bundles = pods / shape.bundleSize();
    this.leaders = leaders;
  }

  Chosen choose() {
    for (int level = shape.level(); ; level--) {
      int[] all = IntStream.range(topology.first(level), topology.first(level + 1)).toArray();
      if (all.length == 0) {
        return new Chosen(level, List.of(), 0);
      }
      int[] sorted = order.sortedForLeader(all);
      Integer single = single(sorted);
      if (single != null) {
        return new Chosen(level, List.of(single), bundles);
      }
      if (shape.required()) {
        int best = order.leastFirst() ? sorted[sorted.length - 1] : sorted[0];
        return new Chosen(level, List.of(), Math.min(bundles, counts.bundles[best]));
      }
      if (level == 0 || shape.anywhere()) {
        return several(level, sorted);
      }
    }
  }

  /** Returns one domain that holds all pods; null if there is none. */
  private @Nullable Integer single(int[] sorted) {
    if (order.leastFirst()) {
      for (int domain : sorted) {
        if (holdsAll(domain)) {
          return domain;
        }
      }
      return null;
    }
    // If the most preferred domain is too small, several of those are as good as a less preferred
    // one.
    int looked = shape.required() ? sorted.length : 1;
    for (int at = 0; at < looked; at++) {
      if (holdsAll(sorted[at])) {
        return order.tightest(sorted, at, bundles, counts.bundlesBeside, leaders);
      }
    }
    return null;
  }

  private boolean holdsAll(int domain) {
    return counts.bundlesBeside[domain] >= bundles && counts.leaders[domain] >= leaders;
  }

  /** Chooses as many domains as needed, the one with the leader first. */
  private Chosen several(int level, int[] sorted) {
    int[] chosen = new int[sorted.length];
    int size = 0;
    int left = bundles;
    if (leaders > 0) {
      Integer leading = leading(sorted);
      if (leading == null) {
        return new Chosen(level, List.of(), 0);
      }
      chosen[size++] = leading;
      left -= counts.bundlesBeside[leading];
    }
    // Without a leader, they are already sorted.
    int[] others = leaders > 0 ? order.sorted(without(sorted, chosen[0])) : sorted;
    for (int next = 0; left > 0 && next < others.length; next++) {
      int domain = others[next];
      if (!order.leastFirst() && counts.bundles[domain] >= left) {
        domain = order.tightest(others, next, left, counts.bundles, 0);
      }
      chosen[size++] = domain;
      left -= counts.bundles[domain];
    }
    return left > 0
        ? new Chosen(level, List.of(), bundles - left)
        : new Chosen(level, IntStream.of(chosen).limit(size).boxed().toList(), bundles);
  }

  /**
   * Returns the first domain that can hold the leader with enough room left in all domains; null if
   * there is none.
   */
  private @Nullable Integer leading(int[] sorted) {
    long all = 0;
    for (int domain : sorted) {
      all += counts.bundles[domain];
    }
    for (int domain : sorted) {
      long beside = all - counts.bundles[domain] + counts.bundlesBeside[domain];
      if (counts.leaders[domain] >= leaders && beside >= bundles) {
        return domain;
      }
    }
    return null;
  }

  private static int[] without(int[] sorted, int leading) {
    return IntStream.of(sorted).filter(domain -> domain != leading).toArray();
  }
}
