// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The domains of a topology over some hosts, as an immutable tree. Domains are numbered by level
 * from the widest, within a level by label values, so that the children of a domain, and those of
 * neighbours, have consecutive numbers.
 */
final class NodeTopology {
  /** Number of a domain or resource that does not exist. */
  private static final int NOT_THERE = -1;

  private static final long ANY_NUMBER = Integer.MAX_VALUE;

  private final List<String> levels;
  private final boolean ofHosts;
  private final int[] firstOfLevel;
  private final int[] parents;
  private final int[] childrenFrom;
  private final String[] values;
  private final List<Host> hosts = new ArrayList<>();
  private final BitSet tainted = new BitSet();
  private final SortedMap<String, Integer> leaves = new TreeMap<>();
  private final SortedMap<ResourceName, Integer> columns = new TreeMap<>();
  private final long[][] capacity;

  /** Builds the tree from the hosts that have the node labels and a label of each level. */
  public NodeTopology(List<String> levels, Labels nodeLabels, Iterable<Host> all) {
    this.levels = List.copyOf(levels);
    this.ofHosts = levels.get(levels.size() - 1).equals(Topology.HOSTNAME);
    SortedMap<List<String>, List<Host>> byLeaf = new TreeMap<>(NodeTopology::compare);
    for (Host host : all) {
      Labels labels = host.labels();
      if (NodeClusters.offers(nodeLabels, labels)
          && levels.stream().allMatch(at -> labels.get(at) != null)) {
        List<String> path = levels.stream().map(at -> String.valueOf(labels.get(at))).toList();
        byLeaf.computeIfAbsent(path, absent -> new ArrayList<>()).add(host);
        capacity(host)
            .amounts()
            .keySet()
            .forEach(resource -> columns.putIfAbsent(resource, columns.size()));
      }
    }
    List<List<String>> paths = List.copyOf(byLeaf.keySet());
    this.firstOfLevel = firstOfLevel(paths, levels.size());
    int size = firstOfLevel[levels.size()];
    this.parents = new int[size];
    this.childrenFrom = new int[size + 1];
    this.values = new String[size];
    connect(paths);
    this.capacity = new long[columns.size()][paths.size()];
    int leaf = 0;
    for (Map.Entry<List<String>, List<Host>> entry : byLeaf.entrySet()) {
      leaves.putIfAbsent(key(entry.getKey()), leaf);
      hosts.add(entry.getValue().get(0));
      tainted.set(leaf, !entry.getValue().get(0).taints().isEmpty());
      for (Host host : entry.getValue()) {
        count(leaf, capacity(host));
      }
      leaf++;
    }
  }

  /** Returns the capacity of a host; without a limit of pods, it holds any number of them. */
  private static ResourceList capacity(Host host) {
    return host.capacity().amounts().containsKey(ResourceName.PODS)
        ? host.capacity()
        : host.capacity().plus(ResourceList.of(ResourceName.PODS, ANY_NUMBER));
  }

  private static int compare(List<String> one, List<String> other) {
    for (int at = 0; at < one.size(); at++) {
      int order = one.get(at).compareTo(other.get(at));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int[] firstOfLevel(List<List<String>> paths, int levels) {
    int[] first = new int[levels + 1];
    for (int at = 0; at < paths.size(); at++) {
      for (int level = at == 0 ? 0 : differAt(paths.get(at - 1), paths.get(at));
          level < levels;
          level++) {
        first[level + 1]++;
      }
    }
    for (int level = 0; level < levels; level++) {
      first[level + 1] += first[level];
    }
    return first;
  }

  private static int differAt(List<String> one, List<String> other) {
    int level = 0;
    while (one.get(level).equals(other.get(level))) {
      level++;
    }
    return level;
  }

  private void connect(List<List<String>> paths) {
    int[] next = Arrays.copyOf(firstOfLevel, levels.size());
    Arrays.fill(childrenFrom, firstOfLevel[levels.size()]);
    for (int at = 0; at < paths.size(); at++) {
      for (int level = at == 0 ? 0 : differAt(paths.get(at - 1), paths.get(at));
          level < levels.size();
          level++) {
        int domain = next[level]++;
        values[domain] = paths.get(at).get(level);
        parents[domain] = level == 0 ? NOT_THERE : next[level - 1] - 1;
        if (level + 1 < levels.size()) {
          childrenFrom[domain] = next[level + 1];
        }
      }
    }
  }

  private void count(int leaf, ResourceList amounts) {
    for (Map.Entry<ResourceName, Long> entry : amounts.amounts().entrySet()) {
      Integer column = columns.get(entry.getKey());
      if (column != null) {
        capacity[column][leaf] += entry.getValue();
      }
    }
  }

  private String key(List<String> path) {
    return ofHosts ? path.get(path.size() - 1) : String.join(",", path);
  }

  /** Returns the labels of the levels, widest first. */
  public List<String> levels() {
    return levels;
  }

  int lowest() {
    return levels.size() - 1;
  }

  /** Returns the number of a level; negative if there is none with the label. */
  public int level(String label) {
    return levels.indexOf(label);
  }

  /** Returns whether its narrowest level is the hosts themselves. */
  boolean ofHosts() {
    return ofHosts;
  }

  /** Returns the number of domains of all levels. */
  int size() {
    return parents.length;
  }

  /** Returns the first domain of a level; for the level below the lowest, the number of domains. */
  int first(int level) {
    return firstOfLevel[level];
  }

  /** Returns the number of domains at the lowest level. */
  int leaves() {
    return firstOfLevel[levels.size()] - firstOfLevel[lowest()];
  }

  int parent(int domain) {
    return parents[domain];
  }

  /** Returns the first child of a domain above the lowest level. */
  int childrenFrom(int domain) {
    return childrenFrom[domain];
  }

  /** Returns the end of the domain's children, exclusive. */
  int childrenTo(int domain, int level) {
    int following = domain + 1;
    return following == firstOfLevel[level + 1] ? firstOfLevel[level + 2] : childrenFrom[following];
  }

  /** Returns the ancestor of a domain at a level, or the domain itself. */
  int above(int domain, int from, int level) {
    int at = domain;
    for (int down = from; down > level; down--) {
      at = parents[at];
    }
    return at;
  }

  /** Returns whether the host of a leaf has taints. */
  boolean tainted(int leaf) {
    return tainted.get(leaf);
  }

  /** Returns the host of a leaf, if leaves are hosts. */
  Host host(int leaf) {
    return hosts.get(leaf);
  }

  Labels hostLabels(int leaf) {
    return hosts.get(leaf).labels();
  }

  /** Returns the leaf of an assignment's values, counted from 0; negative if there is none. */
  int leaf(List<String> named) {
    return leafOf(key(named));
  }

  /** Returns the leaf of values joined by commas; negative if there is none. */
  int leafOf(String joined) {
    return leaves.getOrDefault(joined, NOT_THERE);
  }

  /** Returns the values that name a leaf in an assignment. */
  List<String> name(int leaf) {
    int domain = firstOfLevel[lowest()] + leaf;
    if (ofHosts) {
      return List.of(values[domain]);
    }
    List<String> path = new ArrayList<>();
    for (int at = domain; at != NOT_THERE; at = parents[at]) {
      path.add(0, values[at]);
    }
    return path;
  }

  /** Returns the labels that belong to the values of an assignment. */
  List<String> namedLevels() {
    return ofHosts ? List.of(Topology.HOSTNAME) : levels;
  }

  /** Returns the number of a resource; negative if no host has it. */
  int column(ResourceName resource) {
    return columns.getOrDefault(resource, NOT_THERE);
  }

  /** Returns all resources of the hosts. */
  Set<ResourceName> resources() {
    return columns.keySet();
  }

  int columns() {
    return columns.size();
  }

  /** Returns the capacity of each leaf's hosts for placed pods; not to be changed. */
  long[] capacity(int column) {
    return capacity[column];
  }
}
