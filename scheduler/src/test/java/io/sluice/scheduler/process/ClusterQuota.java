// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Builds the quota objects of a test on a cluster: a ClusterQueue for all namespaces, its flavors,
 * its LocalQueues, and priority classes.
 */
final class ClusterQuota {
  /**
   * The queue {@code main} of namespace {@code default}, with 20 CPUs of the flavor {@code cpu}.
   */
  static final String CPUS = of("research").cpus(20).localQueue("main").yaml();

  private static final String TPU = "google.com/tpu";

  private final String clusterQueue;
  private final List<String> flavors = new ArrayList<>();
  private final List<String> others = new ArrayList<>();

  /** The flavors of each resource group, by the resources that it covers. */
  private final Map<String, List<String>> groups = new LinkedHashMap<>();

  private String preemption = "";

  private ClusterQuota(String clusterQueue) {
    this.clusterQueue = clusterQueue;
  }

  static ClusterQuota of(String clusterQueue) {
    return new ClusterQuota(clusterQueue);
  }

  /** Adds chips of a TPU type, in a flavor of that name. */
  ClusterQuota chips(String type, int chips) {
    return flavor(
        type,
        "{cloud.google.com/gke-tpu-accelerator: tpu-" + type + "-slice}",
        new Quota(TPU, String.valueOf(chips)));
  }

  /** Adds CPUs of the flavor {@code cpu}, which matches any node. */
  ClusterQuota cpus(int cpus) {
    return flavor("cpu", "{}", new Quota("cpu", String.valueOf(cpus)));
  }

  /**
   * Adds CPUs of the flavor {@code cpu}, which matches nodes with the label {@code pool: batch}.
   */
  ClusterQuota batchCpus(int cpus) {
    return flavor("cpu", "{pool: batch}", new Quota("cpu", String.valueOf(cpus)));
  }

  /** The nominal quota of a resource. */
  record Quota(String resource, String nominal) {
    @Override
    public String toString() {
      return "{name: " + resource + ", nominalQuota: " + nominal + "}";
    }
  }

  /**
   * Adds a flavor with its quotas. Flavors of the same resources form a resource group, in the
   * order in which they are added.
   *
   * @param nodeLabels as a YAML map
   */
  ClusterQuota flavor(String name, String nodeLabels, Quota... quotas) {
    flavors.add(object("ResourceFlavor", name) + "spec: {nodeLabels: " + nodeLabels + "}\n");
    List<Quota> all = List.of(quotas);
    groups
        .computeIfAbsent(
            all.stream().map(Quota::resource).collect(Collectors.joining(", ")),
            resources -> new ArrayList<>())
        .add("{name: " + name + ", resources: " + all + "}");
    return this;
  }

  /** Lets jobs of the queue preempt those of lower priority in it. */
  ClusterQuota preemptLowerPriority() {
    preemption = "  preemption: {withinClusterQueue: LowerPriority}\n";
    return this;
  }

  /** Adds a LocalQueue in namespace {@code default}. */
  ClusterQuota localQueue(String name) {
    return localQueue(name, "default");
  }

  ClusterQuota localQueue(String name, String namespace) {
    others.add(
        object("LocalQueue", name + ", namespace: " + namespace)
            + ("spec: {clusterQueue: " + clusterQueue + "}\n"));
    return this;
  }

  ClusterQuota priorityClass(String name, int value) {
    others.add(object("WorkloadPriorityClass", name) + "value: " + value + "\n");
    return this;
  }

  /** Returns all objects; each follows those that it refers to. */
  String yaml() {
    StringBuilder queue = new StringBuilder(object("ClusterQueue", clusterQueue));
    queue.append("spec:\n  namespaceSelector: {}\n").append(preemption);
    queue.append("  resourceGroups:\n");
    groups.forEach(
        (resources, all) ->
            queue
                .append("  - coveredResources: [" + resources + "]\n")
                .append("    flavors: " + all + "\n"));
    List<String> objects = new ArrayList<>(flavors);
    objects.add(queue.toString());
    objects.addAll(others);
    return String.join("---\n", objects);
  }

  private static String object(String kind, String name) {
    return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: "
        + kind
        + "\nmetadata: {name: "
        + name
        + "}\n";
  }
}
