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
 * Chooses domains so that each holds about the same number of bundles (Kueue's KEP-2724, balanced
 * placement).
 *
 * <p>Goal: place pods that prefer one domain of a level in as few domains of it as possible, all
 * below one domain of the next wider level, and maximize the threshold: the smallest number of
 * bundles in a chosen domain.
 *
 * <p>Algorithm: for the children of each wider domain, a greedy choice by size gives the number of
 * domains and thus the threshold. Children that cannot hold the threshold are pruned; if the others
 * still hold all bundles, they are a candidate. The best candidate has the largest threshold, then
 * the fewest domains. Dynamic programming finds its set of domains with the least spare room. Each
 * domain gets the threshold; the rest goes to the first domains with room.
 *
 * <p>Only conformance cases of Kueue use it. The policy of servers is {@link DomainPolicy#FEWEST}.
 */
final class BalancedPlacement {
  /** Spreads pods that prefer to be together evenly over the fewest possible domains. */
  static final DomainPolicy POLICY =
      (counts, pods, leaders) -> new BalancedPlacement(counts, pods, leaders).find();

  /** The result of taking the largest domains first. */
  private record Greedy(int domains, @Nullable Integer lastLeading, @Nullable Integer last) {}

  /** Maximum number of steps of the dynamic program. */
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

  /** Returns the balanced placement; null if there is none. */
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

  /** Evaluates the siblings of a range as candidates. */
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

  /** Returns the greedy choice, largest domains first; null if they do not hold all bundles. */
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

  /** Prunes domains below a threshold; returns the greedy choice of the rest, null if too few. */
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

  /** Sets the leaders of a domain and its descendants to 0, and optionally their pods too. */
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

  /** Gives each domain the threshold, and the rest to the first domains with room. */
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
   * Returns the smallest set of domains with the least spare room; null if there is none. Ties go
   * to the set whose domains come first.
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

  /** Extends each incomplete set by a domain, with or without the leader. */
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

  /** Shannon entropy, in bits, of the pods that a domain's children could hold. */
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
