// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

/**
 * The number of pods that each domain could hold or, once domains are chosen, is to hold. With a
 * leader, also the number beside the leader if the domain holds it; without one, these are the same
 * arrays.
 */
final class DomainCounts {
  private final NodeTopology topology;
  private final PlacementShape shape;
  private final boolean withLeader;
  final int[] pods;
  final int[] podsBeside;
  final int[] bundles;
  final int[] bundlesBeside;
  final int[] leaders;
  final long[] preference;

  DomainCounts(NodeTopology topology, PlacementShape shape, boolean withLeader) {
    this.topology = topology;
    this.shape = shape;
    this.withLeader = withLeader;
    int size = topology.size();
    this.pods = new int[size];
    this.podsBeside = withLeader ? new int[size] : pods;
    this.bundles = new int[size];
    this.bundlesBeside = withLeader ? new int[size] : bundles;
    this.leaders = new int[size];
    this.preference = new long[size];
  }

  private DomainCounts(DomainCounts other) {
    this.topology = other.topology;
    this.shape = other.shape;
    this.withLeader = other.withLeader;
    this.pods = other.pods.clone();
    this.podsBeside = withLeader ? other.podsBeside.clone() : pods;
    this.bundles = other.bundles.clone();
    this.bundlesBeside = withLeader ? other.bundlesBeside.clone() : bundles;
    this.leaders = other.leaders.clone();
    this.preference = other.preference.clone();
  }

  DomainCounts copy() {
    return new DomainCounts(this);
  }

  /** Copies the counts of a range of domains from another. */
  void copy(DomainCounts from, int first, int end) {
    System.arraycopy(from.pods, first, pods, first, end - first);
    System.arraycopy(from.podsBeside, first, podsBeside, first, end - first);
    System.arraycopy(from.bundles, first, bundles, first, end - first);
    System.arraycopy(from.bundlesBeside, first, bundlesBeside, first, end - first);
    System.arraycopy(from.leaders, first, leaders, first, end - first);
  }

  NodeTopology topology() {
    return topology;
  }

  PlacementShape shape() {
    return shape;
  }

  /** Sums the counts from the leaves up. */
  void sumUp() {
    for (int level = topology.lowest(); level >= 0; level--) {
      sumUp(level, topology.first(level), topology.first(level + 1), true);
    }
  }

  /**
   * Sums the counts of the children for a range of domains of a level.
   *
   * @param layered whether a child counts only whole layers of pods
   */
  void sumUp(int level, int from, int to, boolean layered) {
    for (int domain = from; domain < to; domain++) {
      if (level < topology.lowest()) {
        sumChildren(domain, level, layered ? shape.inner().get(level + 1) : 1);
      }
    }
    if (level == shape.bundleLevel()) {
      bundleBy(shape.bundleSize(), from, to);
    }
  }

  private void sumChildren(int domain, int level, int layer) {
    long sum = 0;
    long sumOfBundles = 0;
    int leader = 0;
    long score = 0;
    boolean anyHosts = false;
    long takes = Integer.MAX_VALUE;
    long takesBundles = Integer.MAX_VALUE;
    int end = topology.childrenTo(domain, level);
    for (int child = topology.childrenFrom(domain); child < end; child++) {
      int whole = whole(pods[child], layer);
      int wholeBeside = whole(podsBeside[child], layer);
      sum += whole;
      sumOfBundles += bundles[child];
      if (!withLeader || leaders[child] > 0) {
        anyHosts = true;
        takes = Math.min(takes, whole - wholeBeside);
        takesBundles = Math.min(takesBundles, bundles[child] - bundlesBeside[child]);
      }
      leader = Math.max(leader, leaders[child]);
      score += preference[child];
    }
    pods[domain] = bounded(sum);
    podsBeside[domain] = anyHosts ? bounded(sum - takes) : 0;
    bundles[domain] = bounded(sumOfBundles);
    bundlesBeside[domain] = anyHosts ? bounded(sumOfBundles - takesBundles) : 0;
    leaders[domain] = leader;
    preference[domain] = score;
  }

  /** Returns the part of a count in whole layers; mostly all of it, without divisions. */
  private static int whole(int count, int layer) {
    return layer == 1 ? count : count / layer * layer;
  }

  private static int bounded(long count) {
    return (int) Math.min(Integer.MAX_VALUE, count);
  }

  /** Recomputes bundles of another size for a range of domains. */
  void bundleBy(int size, int from, int to) {
    if (size == 1) {
      System.arraycopy(pods, from, bundles, from, to - from);
      System.arraycopy(podsBeside, from, bundlesBeside, from, to - from);
      return;
    }
    for (int domain = from; domain < to; domain++) {
      bundles[domain] = pods[domain] / size;
      bundlesBeside[domain] = podsBeside[domain] / size;
    }
  }
}
