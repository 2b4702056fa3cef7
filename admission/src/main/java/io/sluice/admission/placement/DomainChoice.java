// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

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

  private static final int NOBODY = -1;

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
      int from = topology.first(level);
      int to = topology.first(level + 1);
      if (from == to) {
        return new Chosen(level, List.of(), 0);
      }
      int single = single(from, to);
      if (single != NOBODY) {
        return new Chosen(level, List.of(single), bundles);
      }
      if (shape.required()) {
        return new Chosen(level, List.of(), Math.min(bundles, widest(from, to)));
      }
      if (level == 0 || shape.anywhere()) {
        return several(level, from, to);
      }
    }
  }

  /** Returns the first domain that meets a condition; NOBODY if there is none. */
  private int first(int from, int to, IntPredicate condition) {
    int first = NOBODY;
    for (int domain = from; domain < to; domain++) {
      if (condition.test(domain) && (first == NOBODY || order.compare(domain, first, true) < 0)) {
        first = domain;
      }
    }
    return first;
  }

  /** Returns one domain that holds all pods; NOBODY if there is none. */
  private int single(int from, int to) {
    if (order.leastFirst()) {
      return first(from, to, this::holdsAll);
    }
    // If the most preferred domain is too small, several of those are as good as a less preferred
    // one.
    int first = first(from, to, shape.required() ? this::holdsAll : domain -> true);
    return first == NOBODY || !holdsAll(first)
        ? NOBODY
        : tightest(first, from, to, bundles, true, NOBODY);
  }

  private boolean holdsAll(int domain) {
    return counts.bundlesBeside[domain] >= bundles && counts.leaders[domain] >= leaders;
  }

  /** Returns the bundles that fit into the domain with most room. */
  private int widest(int from, int to) {
    int best = from;
    for (int domain = from + 1; domain < to; domain++) {
      if (order.compare(domain, best, true) < 0 != order.leastFirst()) {
        best = domain;
      }
    }
    return counts.bundles[best];
  }

  /**
   * Returns the domain with the least room that is sufficient, of those that come after a given one
   * and are as preferred.
   *
   * @param first has sufficient room itself
   * @param forLeader whether the leader is to be there, too
   * @param taken not to be returned
   */
  private int tightest(int first, int from, int to, int needed, boolean forLeader, int taken) {
    int[] room = forLeader ? counts.bundlesBeside : counts.bundles;
    int best = first;
    for (int domain = from; domain < to; domain++) {
      if (room[domain] >= needed
          && room[domain] <= room[best]
          && (!forLeader || counts.leaders[domain] >= leaders)
          && domain != taken
          && order.alike(domain, first)
          && order.compare(domain, first, forLeader) > 0
          && (room[domain] < room[best] || order.compare(domain, best, forLeader) < 0)) {
        best = domain;
      }
    }
    return best;
  }

  /** Chooses as many domains as needed, the one with the leader first. */
  private Chosen several(int level, int from, int to) {
    List<Integer> chosen = new ArrayList<>();
    int left = bundles;
    int leading = NOBODY;
    if (leaders > 0) {
      leading = leading(from, to);
      if (leading == NOBODY) {
        return new Chosen(level, List.of(), 0);
      }
      chosen.add(leading);
      left -= counts.bundlesBeside[leading];
    }
    // Each holds a bundle at least; the leader's may be one of them.
    int[] others = left > 0 ? order.first(from, to, Math.min(left, to - from) + 1) : new int[0];
    for (int next = 0; left > 0 && next < others.length; next++) {
      int domain = others[next];
      if (domain == leading) {
        continue;
      }
      if (!order.leastFirst() && counts.bundles[domain] >= left) {
        domain = tightest(domain, from, to, left, false, leading);
      }
      chosen.add(domain);
      left -= counts.bundles[domain];
    }
    return left > 0
        ? new Chosen(level, List.of(), bundles - left)
        : new Chosen(level, List.copyOf(chosen), bundles);
  }

  /**
   * Returns the first domain that can hold the leader with enough room left in all domains; NOBODY
   * if there is none.
   */
  private int leading(int from, int to) {
    long sum = 0;
    for (int domain = from; domain < to; domain++) {
      sum += counts.bundles[domain];
    }
    long all = sum;
    return first(
        from,
        to,
        domain ->
            counts.leaders[domain] >= leaders
                && all - counts.bundles[domain] + counts.bundlesBeside[domain] >= bundles);
  }
}
