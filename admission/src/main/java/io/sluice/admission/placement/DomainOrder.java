// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The order in which domains of a level are taken: those with most room for bundles first, to use
 * few, or those with least, to keep large ones free. Ties go to fewer spare pods, and then to label
 * values.
 */
final class DomainOrder {
  private static final int COUNT_BITS = 21;
  private static final int COUNT_MAX = (1 << COUNT_BITS) - 1;
  private static final int PLACE_BITS = 20;
  private static final int PLACE_MAX = (1 << PLACE_BITS) - 1;

  /** Domains that {@link #first} keeps at least before it sorts them. */
  private static final int KEPT_MIN = 64;

  private static final int NOBODY = -1;

  private final DomainCounts counts;
  private final boolean leastFirst;
  private final boolean heedsPreferences;

  DomainOrder(DomainCounts counts, boolean leastFirst, boolean heedsPreferences) {
    this.counts = counts;
    this.leastFirst = leastFirst;
    this.heedsPreferences = heedsPreferences;
  }

  /** Creates an order with most room first that ignores preferences. */
  static DomainOrder mostRoomFirst(DomainCounts counts) {
    return new DomainOrder(counts, false, false);
  }

  boolean leastFirst() {
    return leastFirst;
  }

  int[] sorted(int[] domains) {
    return sorted(domains, false);
  }

  /** Sorts domains that can hold the leader first, by their room beside it. */
  int[] sortedForLeader(int[] domains) {
    return sorted(domains, true);
  }

  private int[] sorted(int[] domains, boolean forLeader) {
    if (domains.length < 2) {
      return domains.clone();
    }
    long[] keys = anyPreferred(domains) ? null : keys(domains, forLeader);
    if (keys == null) {
      return IntStream.of(domains)
          .boxed()
          .sorted((one, other) -> compare(one, other, forLeader))
          .mapToInt(Integer::intValue)
          .toArray();
    }
    keys = DigitSort.sort(keys, inOrder(domains) ? PLACE_BITS : 0);
    int first = IntStream.of(domains).min().orElse(0);
    int[] sorted = new int[domains.length];
    for (int at = 0; at < sorted.length; at++) {
      sorted[at] = first + (int) (keys[at] & PLACE_MAX);
    }
    return sorted;
  }

  /**
   * Returns whether the domains are in the order of their numbers, which then need no comparison.
   */
  private static boolean inOrder(int[] domains) {
    for (int at = 1; at < domains.length; at++) {
      if (domains[at] < domains[at - 1]) {
        return false;
      }
    }
    return true;
  }

  private boolean anyPreferred(int[] domains) {
    if (heedsPreferences) {
      for (int domain : domains) {
        if (counts.preference[domain] != 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Encodes the order in numeric keys for a radix sort; null if the counts are too large. */
  private long @Nullable [] keys(int[] domains, boolean forLeader) {
    int[] bundles = forLeader ? counts.bundlesBeside : counts.bundles;
    int[] pods = forLeader ? counts.podsBeside : counts.pods;
    int first = IntStream.of(domains).min().orElse(0);
    long[] keys = new long[domains.length];
    for (int at = 0; at < domains.length; at++) {
      int domain = domains[at];
      if (bundles[domain] > COUNT_MAX || pods[domain] > COUNT_MAX || domain - first > PLACE_MAX) {
        return null;
      }
      long leader = forLeader && counts.leaders[domain] == 0 ? 1 : 0;
      long room = leastFirst ? bundles[domain] : COUNT_MAX - bundles[domain];
      long key = (leader << COUNT_BITS) | room;
      keys[at] = (((key << COUNT_BITS) | pods[domain]) << PLACE_BITS) | (domain - first);
    }
    return keys;
  }

  /** Compares two domains; the one that is taken first is the smaller. */
  int compare(int one, int other, boolean forLeader) {
    int[] bundles = forLeader ? counts.bundlesBeside : counts.bundles;
    int[] pods = forLeader ? counts.podsBeside : counts.pods;
    int order = forLeader ? counts.leaders[other] - counts.leaders[one] : 0;
    if (order == 0 && heedsPreferences) {
      order = Long.compare(counts.preference[other], counts.preference[one]);
    }
    if (order == 0) {
      order = Integer.compare(bundles[one], bundles[other]) * (leastFirst ? 1 : -1);
    }
    if (order == 0) {
      order = Integer.compare(pods[one], pods[other]);
    }
    return order == 0 ? Integer.compare(one, other) : order;
  }

  /** Whether two domains are equally preferred. */
  boolean alike(int one, int other) {
    return !heedsPreferences || counts.preference[one] == counts.preference[other];
  }

  /**
   * Returns the first domains of a range that have room for a bundle, in order, without sorting the
   * others.
   *
   * @param most maximum number of domains to return
   */
  int[] first(int from, int to, int most) {
    int[] kept = new int[(int) Math.min(to - from, Math.max(KEPT_MIN, 2L * most))];
    int size = 0;
    int last = NOBODY;
    for (int domain = from; domain < to; domain++) {
      if (counts.bundles[domain] == 0 || (last != NOBODY && compare(domain, last, false) > 0)) {
        continue;
      }
      if (size == kept.length) {
        System.arraycopy(sorted(kept), 0, kept, 0, most);
        size = most;
        last = kept[most - 1];
        if (compare(domain, last, false) > 0) {
          continue;
        }
      }
      kept[size++] = domain;
    }
    return Arrays.copyOf(sorted(Arrays.copyOf(kept, size)), Math.min(size, most));
  }

  /**
   * Returns the domain, from a position in a sorted list on, with the least room that is
   * sufficient; the first if none is. It considers only domains as preferred as the first.
   */
  int tightest(int[] sorted, int from, int needed, int[] room, int leaders) {
    int best = sorted[from];
    boolean fits = room[best] >= needed && counts.leaders[best] >= leaders;
    for (int at = from; at < sorted.length; at++) {
      int domain = sorted[at];
      if (heedsPreferences && counts.preference[domain] != counts.preference[sorted[from]]) {
        break;
      }
      if (room[domain] >= needed
          && counts.leaders[domain] >= leaders
          && (!fits || room[domain] < room[best])) {
        best = domain;
        fits = true;
      }
    }
    return best;
  }
}
