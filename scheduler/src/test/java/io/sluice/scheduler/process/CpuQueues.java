// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

/** Manifests of queues with quota of cores, and of jobs in them, for tests with one server. */
final class CpuQueues {
  private CpuQueues() {}

  static String queue(String name, int cpu) {
    return queue(name, cpu, "");
  }

  /** A ClusterQueue with further fields of its spec. */
  static String queue(String name, int cpu, String more) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: %s}
    spec:
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: %d}]}]
    %s
    """
        .formatted(name, cpu, more);
  }

  /** A LocalQueue of the name of its ClusterQueue. */
  static String localQueue(String name) {
    return localQueue(name, name);
  }

  static String localQueue(String name, String clusterQueue) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: %s, namespace: team}
    spec: {clusterQueue: %s}
    """
        .formatted(name, clusterQueue);
  }

  static String jobIn(String queue, String name, int cpu) {
    return OneServer.job(name, cpu, "sleep 600").replace("queue: main", "queue: " + queue);
  }

  static String path(String name) {
    return "/v1/clusterqueues/" + name;
  }
}
