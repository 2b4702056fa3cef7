// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.admission.placement.DomainPolicy.GivenDomains;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Step: chooses domains so that each holds about as many bundles as the others (Kueue's KEP-2724,
 * balanced placement).
 *
 * <p>Goal: pods that had better be in one domain of a level are in as few domains of it as will do,
 * all below one domain of the next wider level, and the fewest bundles that a domain is given, the
 * threshold, are as many as can be.
 *
 * <p>Algorithm: for the children of each wider domain, taking the largest first says how many are
 * needed, and so the threshold; children that cannot hold so many are left out, and if the others
 * still hold all, that is a candidate. The best has the largest threshold, then the fewest domains.
 * In it the set of domains with the least room to spare is found by dynamic programming, each is
 * given the threshold, and what is left goes to the first that have room.
 *
 * <p>Cases of Kueue ask for it. No server does: its own policy is {@link DomainPolicy#FEWEST}.
 */
final class BalancedPlacement {
  /** Pods that had better be together are spread evenly over as few domains as will do. */
  static final DomainPolicy POLICY =
      (counts, pods, leaders) -> new BalancedPlacement(counts, pods, leaders).find();

  /** How far taking the largest domains first would come. */
  private record Greedy(int domains, @Nullable Integer lastLeading, @Nullable Integer last) {}

  /** Beyond so many steps the search for the tightest set is given up. */
  private static final long STEPS_MAX = 2_000_000;

  private final NodeTopology topology;
  private final PlacementShape shape;
  private final DomainCounts full;
  private final DomainCounts pruned;
  private final DomainOrder order;
  private final int bundles;
  private final int leaders;
  private int threshold;
  private int fewest;
  private int[] candidates = new int[0];

  private BalancedPlacement(DomainCounts counts, int pods, int leaders) {
    this.topology = counts.topology();
    this.shape = counts.shape();
    this.full = counts;
    this.pruned = counts.copy();
    this.order = DomainOrder.mostRoomFirst(pruned);
    this.bundles = pods / shape.bundleSize();
    this.leaders = leaders;
  }

  /** Null if there is no balanced placement. */
  private @Nullable GivenDomains find() {
    if (shape.level() == 0) {
      look(topology.first(0), topology.first(1));
    } else {
      for (int wider = topology.first(shape.level() - 1);
          wider < topology.first(shape.level());
          wider++) {
        look(topology.childrenFrom(wider), topology.childrenTo(wider, shape.level() - 1));
      }
    }
    return threshold > 0 ? place() : null;
  }

  /** Looks at neighbours of the level, from one to before another. */
  private void look(int from, int to) {
    boolean bundlesBelow = shape.level() < shape.bundleLevel();
    int[] siblings = IntStream.range(from, to).toArray();
    Greedy greedy = greedy(bundlesBelow ? below(siblings) : siblings);
    if (greedy == null || greedy.domains() == 0) {
      return;
    }
    Integer last = greedy.last();
    int most = bundles / greedy.domains();
    if (greedy.lastLeading() != null) {
      most = Math.min(most, full.bundlesBeside[greedy.lastLeading()]);
    }
    if (last != null) {
      most = Math.min(most, full.bundles[last]);
    }
    int beside = leaders > 0 && last != null ? Math.min(most, full.bundlesBeside[last]) : most;
    if (most < threshold) {
      return;
    }
    Greedy left = prune(from, to, most);
    if (left == null && beside < most && beside > 0 && beside >= threshold) {
      most = beside;
      left = prune(from, to, most);
    }
    if (left != null && (most > threshold || left.domains() < fewest)) {
      threshold = most;
      fewest = left.domains();
      candidates = siblings;
    }
  }

  private int[] below(int[] domains) {
    return IntStream.of(domains)
        .flatMap(
            domain ->
                IntStream.range(
                    topology.childrenFrom(domain), topology.childrenTo(domain, shape.level())))
        .toArray();
  }

  /** How many domains are needed if the largest come first; null if they do not hold all. */
  private @Nullable Greedy greedy(int[] domains) {
    int left = bundles;
    int leadersLeft = leaders;
    int count = 0;
    Integer lastLeading = null;
    int[] rest = domains;
    if (leaders > 0) {
      int[] sorted = order.sortedForLeader(domains);
      int at = 0;
      for (; leadersLeft > 0 && at < sorted.length && pruned.leaders[sorted[at]] > 0; at++) {
        count++;
        lastLeading = sorted[at];
        leadersLeft -= pruned.leaders[sorted[at]];
        left -= pruned.bundlesBeside[sorted[at]];
      }
      rest = Arrays.copyOfRange(sorted, at, sorted.length);
    }
    Integer last = null;
    int[] sorted = order.sorted(rest);
    for (int at = 0; left > 0 && at < sorted.length && pruned.bundles[sorted[at]] > 0; at++) {
      count++;
      last = sorted[at];
      left -= pruned.bundles[sorted[at]];
    }
    return left > 0 || leadersLeft > 0 ? null : new Greedy(count, lastLeading, last);
  }

  /** Leaves out what cannot hold so many; what is still needed then, null if it does not do. */
  private @Nullable Greedy prune(int from, int to, int least) {
    int first = from;
    int end = to;
    for (int level = shape.level(); level <= topology.lowest(); level++) {
      pruned.copy(full, first, end);
      if (level < topology.lowest()) {
        int lastBefore = end - 1;
        first = topology.childrenFrom(first);
        end = topology.childrenTo(lastBefore, level);
      }
    }
    if (shape.level() < topology.lowest()) {
      for (int child = topology.childrenFrom(from);
          child < topology.childrenTo(to - 1, shape.level());
          child++) {
        leaveOut(child, shape.level() + 1, least);
      }
      sumUpBelow(shape.level(), from, to);
    }
    for (int domain = from; domain < to; domain++) {
      leaveOut(domain, shape.level(), least);
    }
    return greedy(IntStream.range(from, to).toArray());
  }

  private void sumUpBelow(int level, int from, int to) {
    if (level < topology.lowest()) {
      sumUpBelow(level + 1, topology.childrenFrom(from), topology.childrenTo(to - 1, level));
    }
    pruned.sumUp(level, from, to, false);
  }

  private void leaveOut(int domain, int level, int least) {
    if (pruned.bundles[domain] < least) {
      clear(domain, level, true);
    } else if (leaders > 0 && pruned.leaders[domain] > 0 && pruned.bundlesBeside[domain] < least) {
      clear(domain, level, false);
    }
  }

  /** Lets a domain, and all below it, hold no leader, and no pods either if it is to. */
  private void clear(int domain, int level, boolean pods) {
    pruned.podsBeside[domain] = 0;
    pruned.bundlesBeside[domain] = 0;
    pruned.leaders[domain] = 0;
    if (pods) {
      pruned.pods[domain] = 0;
      pruned.bundles[domain] = 0;
    }
    if (level < topology.lowest()) {
      for (int child = topology.childrenFrom(domain);
          child < topology.childrenTo(domain, level);
          child++) {
        clear(child, level + 1, pods);
      }
    }
  }

  private @Nullable GivenDomains place() {
    prune(candidates[0], candidates[candidates.length - 1] + 1, threshold);
    int[] chosen = candidates;
    int level = shape.level();
    if (shape.level() < shape.bundleLevel()) {
      chosen = tightestSet(candidates, true);
      chosen = chosen == null ? null : below(chosen);
      level++;
    }
    int[] set = chosen == null ? null : tightestSet(chosen, false);
    return set == null || bundles < set.length * threshold || !give(set)
        ? null
        : new GivenDomains(
            level, IntStream.of(order.sortedForLeader(set)).boxed().toList(), pruned);
  }

  /** Gives each the threshold, and the rest to the first that have room. */
  private boolean give(int[] set) {
    int extra = bundles - set.length * threshold;
    int leadersLeft = leaders;
    for (int domain : order.sortedForLeader(set)) {
      boolean leads = leadersLeft > 0;
      int room = leads ? pruned.bundlesBeside[domain] : pruned.bundles[domain];
      int more = leads || extra > 0 ? Math.min(room - threshold, extra) : 0;
      leadersLeft -= leads ? 1 : 0;
      extra -= more;
      int given = threshold + more;
      pruned.leaders[domain] = leads ? 1 : 0;
      pruned.bundles[domain] = given;
      pruned.bundlesBeside[domain] = given;
      pruned.pods[domain] = given * shape.bundleSize();
      pruned.podsBeside[domain] = pruned.pods[domain] - pruned.leaders[domain];
    }
    return extra <= 0 && leadersLeft <= 0;
  }

  /**
   * The set of as few domains as will do that has the least room to spare; null if none does. Of
   * sets that are as good, that whose domains come first.
   */
  private int @Nullable [] tightestSet(int[] domains, boolean evenFirst) {
    Greedy greedy = greedy(domains);
    long pods = (long) bundles * shape.bundleSize();
    if (greedy == null || domains.length * (long) greedy.domains() * (pods + 1) > STEPS_MAX) {
      return null;
    }
    List<SortedMap<Integer, SortedMap<Integer, int[]>>> sets = new ArrayList<>();
    for (int size = 0; size <= greedy.domains(); size++) {
      sets.add(new TreeMap<>());
    }
    sets.get(0).put(leaders, new TreeMap<>(Collections.singletonMap((int) pods, new int[0])));
    for (int domain : inOrder(domains, evenFirst)) {
      for (int size = greedy.domains(); size > 0; size--) {
        extend(sets.get(size - 1), sets.get(size), domain);
      }
    }
    SortedMap<Integer, int[]> led = sets.get(greedy.domains()).getOrDefault(0, new TreeMap<>());
    SortedMap<Integer, int[]> enough = led.headMap(1);
    return enough.isEmpty() ? null : enough.get(enough.lastKey());
  }

  /** Adds a domain to each set that does not hold all yet, as the leader's or not. */
  private void extend(
      SortedMap<Integer, SortedMap<Integer, int[]>> from,
      SortedMap<Integer, SortedMap<Integer, int[]>> to,
      int domain) {
    for (Map.Entry<Integer, SortedMap<Integer, int[]>> byLeaders : from.entrySet()) {
      int leadersLeft = byLeaders.getKey();
      for (Map.Entry<Integer, int[]> set : byLeaders.getValue().entrySet()) {
        int left = set.getKey();
        if (leadersLeft <= 0 && left <= 0) {
          continue;
        }
        int[] more = Arrays.copyOf(set.getValue(), set.getValue().length + 1);
        more[more.length - 1] = domain;
        if (leadersLeft > 0 && pruned.leaders[domain] > 0) {
          to.computeIfAbsent(leadersLeft - pruned.leaders[domain], absent -> new TreeMap<>())
              .putIfAbsent(left - pruned.podsBeside[domain], more);
        }
        if (pruned.bundles[domain] > 0) {
          to.computeIfAbsent(leadersLeft, absent -> new TreeMap<>())
              .putIfAbsent(left - pruned.pods[domain], more);
        }
      }
    }
  }

  private int[] inOrder(int[] domains, boolean evenFirst) {
    Comparator<Integer> inOrder = Comparator.naturalOrder();
    if (evenFirst) {
      Comparator<Integer> byLeader = Comparator.comparingInt(domain -> -pruned.leaders[domain]);
      inOrder =
          byLeader
              .thenComparingInt(domain -> -pruned.bundlesBeside[domain])
              .thenComparing(Comparator.comparingDouble(this::entropy).reversed())
              .thenComparing(inOrder);
    }
    return IntStream.of(domains).boxed().sorted(inOrder).mapToInt(Integer::intValue).toArray();
  }

  /** How evenly the pods that a domain could hold are spread below it: Shannon's, in bits. */
  private double entropy(int domain) {
    int from = topology.childrenFrom(domain);
    int to = topology.childrenTo(domain, shape.level());
    double total = 0;
    for (int child = from; child < to; child++) {
      total += pruned.pods[child];
    }
    double entropy = 0;
    for (int child = from; child < to && total > 0; child++) {
      double part = pruned.pods[child] / total;
      entropy -= part > 0 ? part * (StrictMath.log(part) / StrictMath.log(2)) : 0;
    }
    return entropy;
  }
}
