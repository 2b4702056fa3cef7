// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Distributes pods from the chosen domains down to the leaves, level by level, to as few domains of
 * each level as possible. It turns what a domain could hold into what it is to hold.
 */
final class PodSpread {
  private static final int NOBODY = -1;

  private final NodeTopology topology;
  private final DomainCounts counts;
  private final DomainOrder order;
  private final PlacementShape shape;

  PodSpread(DomainCounts counts, DomainOrder order) {
    this.topology = counts.topology();
    this.counts = counts;
    this.order = order;
    this.shape = counts.shape();
  }

  /**
   * Distributes the pods.
   *
   * @param domains domains of the level, in the order in which they are used
   * @param fixed whether the domains above the bundle level keep their counts
   * @return the leaves that hold pods or the leader; null if some pods remain
   */
  int @Nullable [] down(int level, List<Integer> domains, int pods, int leaders, boolean fixed) {
    int[] chosen = domains.stream().mapToInt(Integer::intValue).toArray();
    int[] at = take(chosen, pods, leaders, shape.bundleSize());
    int current = level;
    for (; at != null && !fixed && current < shape.bundleLevel(); current++) {
      at = take(order.sorted(childrenOf(at, current)), pods, leaders, shape.bundleSize());
    }
    for (; at != null && current < topology.lowest(); current++) {
      at = downOne(at, current);
    }
    return at;
  }

  private int @Nullable [] downOne(int[] domains, int level) {
    int size = level < shape.bundleLevel() ? shape.bundleSize() : shape.inner().get(level + 1);
    int[] all = new int[0];
    for (int domain : domains) {
      // Bundles are not counted below the bundle level yet, so domains with the fewest spare pods
      // come first: that is Kueue's order.
      int[] sorted = order.sorted(children(domain, level));
      if (size > 1) {
        counts.bundleBy(size, topology.childrenFrom(domain), topology.childrenTo(domain, level));
      }
      int[] taken =
          size > 1
              ? take(sorted, counts.pods[domain], counts.leaders[domain], size)
              : takePods(sorted, counts.pods[domain], counts.leaders[domain]);
      if (taken == null) {
        return null;
      }
      int before = all.length;
      all = Arrays.copyOf(all, before + taken.length);
      System.arraycopy(taken, 0, all, before, taken.length);
    }
    return all;
  }

  private int[] children(int domain, int level) {
    int from = topology.childrenFrom(domain);
    int[] children = new int[topology.childrenTo(domain, level) - from];
    Arrays.setAll(children, at -> from + at);
    return children;
  }

  private int[] childrenOf(int[] domains, int level) {
    return Arrays.stream(domains)
        .flatMap(domain -> Arrays.stream(children(domain, level)))
        .toArray();
  }

  /** Takes domains for whole bundles. */
  private int @Nullable [] take(int[] domains, int pods, int leaders, int size) {
    return taken(domains, pods / size, leaders, size, counts.bundles, counts.bundlesBeside);
  }

  /** Takes domains for single pods, which need not be in bundles. */
  private int @Nullable [] takePods(int[] domains, int pods, int leaders) {
    return taken(domains, pods, leaders, 1, counts.pods, counts.podsBeside);
  }

  /**
   * Takes domains in order until all units are distributed; the last is the one with the least room
   * left.
   *
   * @param room number of units (pods or bundles) that each domain can hold
   * @param roomBeside number of units beside the leader
   */
  private int @Nullable [] taken(
      int[] domains, int units, int leaders, int size, int[] room, int[] roomBeside) {
    int[] inOrder = domains.clone();
    int leading = leaders > 0 ? leading(inOrder, units, room, roomBeside) : NOBODY;
    int left = units;
    int leadersLeft = leaders;
    for (int at = 0; at < inOrder.length; at++) {
      bringTightest(inOrder, at, left, leadersLeft > 0 ? roomBeside : room, leadersLeft);
      int domain = inOrder[at];
      boolean leads = leadersLeft > 0;
      boolean last =
          (leads ? roomBeside : room)[domain] >= left && counts.leaders[domain] >= leadersLeft;
      leads &= last || domain == leading;
      int given = Math.min((leads ? roomBeside : room)[domain], left);
      counts.leaders[domain] = leads ? leadersLeft : 0;
      counts.bundles[domain] = given;
      counts.pods[domain] = given * size;
      if (last) {
        return Arrays.copyOf(inOrder, at + 1);
      }
      left -= given;
      leadersLeft -= leads ? leadersLeft : 0;
    }
    return null;
  }

  /**
   * Returns the domain for the leader if several are needed: the first where all domains together
   * keep enough room; NOBODY if there is none.
   */
  private int leading(int[] domains, int units, int[] room, int[] roomBeside) {
    long all = 0;
    for (int domain : domains) {
      all += room[domain];
    }
    for (int domain : domains) {
      if (counts.leaders[domain] > 0 && all - room[domain] + roomBeside[domain] >= units) {
        return domain;
      }
    }
    return NOBODY;
  }

  /** Swaps in the domain with the least room left, if the next could be the last. */
  private void bringTightest(int[] domains, int at, int left, int[] room, int leaders) {
    int next = domains[at];
    if (!order.leastFirst() && room[next] >= left && counts.leaders[next] >= leaders) {
      int tightest = order.tightest(domains, at, left, room, leaders);
      for (int other = at; other < domains.length; other++) {
        if (domains[other] == tightest) {
          domains[other] = next;
          domains[at] = tightest;
          return;
        }
      }
    }
  }
}
