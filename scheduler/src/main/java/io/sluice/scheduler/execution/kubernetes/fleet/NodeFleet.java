// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Derives hosts and slices from the nodes of a cluster: a pure function of the set of nodes.
 *
 * <ul>
 *   <li>A node without TPUs is a host outside slices.
 *   <li>A node whose topology its own chips fill is a slice, named like the node.
 *   <li>The nodes of a pool with a larger topology are one slice, named like the pool, when all of
 *       them are there.
 *   <li>A host of a slice whose chips a pod outside Sluice uses is closed: no job gets the slice
 *       until the pod is gone.
 *   <li>A pool that contradicts itself or the catalogue yields only the reason; other pools are not
 *       affected.
 * </ul>
 */
public final class NodeFleet {
  private final String cluster;
  private final String prefix;
  private final AcceleratorCatalogue catalogue;
  private final Labels ofCluster;

  private NodeFleet(String cluster, String prefix, AcceleratorCatalogue catalogue) {
    this.cluster = Names.requireLabelValue(cluster);
    this.prefix = prefix;
    this.catalogue = catalogue;
    this.ofCluster =
        Labels.of(
            prefix.isEmpty()
                ? Map.of(NodeClusters.CLUSTER, cluster)
                : Map.of(NodeClusters.CLUSTER, cluster, NodeClusters.BY_NAME, "true"));
  }

  /**
   * Creates the reading of the default cluster: hosts and slices have the names of their nodes and
   * pools.
   *
   * @throws io.sluice.queuemodel.InvalidValueException if the cluster's name is no label value
   */
  public static NodeFleet ofDefault(String cluster, AcceleratorCatalogue catalogue) {
    return new NodeFleet(cluster, "", catalogue);
  }

  /**
   * Creates the reading of another cluster. Its hosts and slices have the cluster's name, in lower
   * case, and a dot as a prefix, since its nodes may be named like those of the default cluster.
   * Flavors that name the cluster offer them.
   *
   * @throws io.sluice.queuemodel.InvalidValueException if the cluster's name is no label value
   */
  public static NodeFleet ofAnother(String cluster, AcceleratorCatalogue catalogue) {
    String name = cluster.toLowerCase(Locale.ROOT).replaceAll("[^-a-z0-9.]", "-");
    return new NodeFleet(cluster, name + ".", catalogue);
  }

  public String cluster() {
    return cluster;
  }

  /** Returns the hosts and slices of these nodes, without pods outside Sluice. */
  ObservedFleet of(Collection<ClusterNode> nodes) {
    return of(nodes, Map.of());
  }

  /**
   * Returns the hosts and slices of these nodes.
   *
   * @param outside use of nodes by pods outside Sluice, by node name
   */
  ObservedFleet of(Collection<ClusterNode> nodes, Map<String, OutsideUse> outside) {
    Observing observing = new Observing(outside);
    TreeMap<String, List<ClusterNode>> pools = new TreeMap<>();
    List<ClusterNode> sorted =
        nodes.stream().sorted(Comparator.comparing(ClusterNode::name)).toList();
    for (ClusterNode node : sorted) {
      observing.seen(node);
      if (TpuPool.hasTpus(node)) {
        String pool = node.labels().get(NodeLabels.NODE_POOL);
        // A pool's name has no slash.
        String key = pool == null ? "node/" + node.name() : pool;
        pools.computeIfAbsent(key, absent -> new ArrayList<>()).add(node);
      } else {
        observing.add(node, node.allocatable(), node.health());
      }
    }
    pools.forEach((pool, members) -> observing.add(TpuPool.of(pool, members, catalogue)));
    return observing.done();
  }

  /** The hosts, slices and faults found so far. */
  private final class Observing {
    private final TreeMap<String, Host> hosts = new TreeMap<>();
    private final TreeMap<String, Slice> slices = new TreeMap<>();
    private final TreeSet<String> nodes = new TreeSet<>();
    private final TreeSet<String> twice = new TreeSet<>();
    private final TreeMap<String, NodeHealth> unwell = new TreeMap<>();
    private final TreeMap<String, String> refused = new TreeMap<>();
    private final TreeMap<String, String> incomplete = new TreeMap<>();
    private final TreeMap<String, OutsideUse> outside = new TreeMap<>();
    private final Map<String, OutsideUse> byNode;

    Observing(Map<String, OutsideUse> byNode) {
      this.byNode = byNode;
    }

    void seen(ClusterNode node) {
      if (!nodes.add(prefix + node.name())) {
        twice.add(node.name());
      }
    }

    private Host add(ClusterNode node, ResourceList capacity, NodeHealth health) {
      String name = prefix + node.name();
      TreeMap<String, String> labels = new TreeMap<>(node.labels().entries());
      labels.putIfAbsent(Topology.HOSTNAME, node.name());
      labels.putAll(ofCluster.entries());
      Host host = new Host(name, new Labels(labels), capacity, node.taints());
      hosts.put(name, host);
      OutsideUse use = byNode.get(node.name());
      if (use != null) {
        outside.put(name, use);
      }
      if (health.state() != NodeHealth.State.WELL) {
        unwell.put(name, health);
      }
      return host;
    }

    void add(TpuPool pool) {
      String name = prefix + pool.name();
      String doubled =
          pool.nodes().stream()
              .map(ClusterNode::name)
              .filter(twice::contains)
              .findFirst()
              .orElse(null);
      if (doubled != null) {
        refused.put(name, "node " + doubled + " is there twice");
      } else if (pool.fault() != null) {
        refused.put(name, pool.fault());
      } else if (pool.missing() > 0) {
        int there = pool.nodes().size();
        incomplete.put(name, there + " of " + (there + pool.missing()) + " nodes are there");
      } else if (pool.isOneSlice()) {
        addSlice(pool, pool.name(), pool.nodes());
      } else {
        pool.nodes().forEach(node -> addSlice(pool, node.name(), List.of(node)));
      }
    }

    /** Refuses a slice whose name is taken, since the name would be ambiguous. */
    private void addSlice(TpuPool pool, String sliceName, List<ClusterNode> members) {
      String name = prefix + sliceName;
      if (slices.containsKey(name)) {
        refused.put(name, "a slice of another node pool has that name");
        return;
      }
      List<String> names = new ArrayList<>();
      Labels common = null;
      for (ClusterNode node : members) {
        ResourceList capacity = pool.capacity(node);
        Host host = add(node, capacity, health(pool, node));
        names.add(host.name());
        common = common == null ? host.labels() : inBoth(common, host.labels());
      }
      slices.put(
          name,
          new Slice(
              name,
              pool.type(),
              pool.topology(),
              pool.capacityType(),
              common == null ? ofCluster : common,
              names));
    }

    private NodeHealth health(TpuPool pool, ClusterNode node) {
      NodeHealth own = pool.health(node);
      OutsideUse use = byNode.get(node.name());
      String pod = use == null ? null : use.ofChips();
      return pod != null && own.state() == NodeHealth.State.WELL ? NodeHealth.inUse(pod) : own;
    }

    ObservedFleet done() {
      return new ObservedFleet(
          cluster,
          List.copyOf(hosts.values()),
          List.copyOf(slices.values()),
          nodes,
          unwell,
          refused,
          incomplete,
          outside);
    }
  }

  private static Labels inBoth(Labels one, Labels other) {
    TreeMap<String, String> common = new TreeMap<>(one.entries());
    common.entrySet().removeIf(entry -> !entry.getValue().equals(other.get(entry.getKey())));
    return new Labels(common);
  }
}
