// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Step: chooses the domains that hold all pods together: one of the level that is asked for, if one
 * can; else, where that is not required, one of the next wider level, and at the widest level the
 * fewest that can.
 */
final class DomainChoice {
  /**
   * What was chosen.
   *
   * @param domains all of one level; empty: none will do
   * @param fit of how many bundles there is room, if none will do
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

  /** One domain that holds all; null if none does. */
  private @Nullable Integer single(int[] sorted) {
    if (order.leastFirst()) {
      for (int domain : sorted) {
        if (holdsAll(domain)) {
          return domain;
        }
      }
      return null;
    }
    // Where one of the most preferred will not do, several of them are as good.
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

  /** As many domains as are needed, that with the leader before the others. */
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
    // Without a leader they are in that order already.
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

  /** The first domain where the leader leaves enough room in all of them; null if none does. */
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
