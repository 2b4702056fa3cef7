// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

/** Quota objects of tests on a cluster. */
final class ClusterQuota {
  /**
   * The queue {@code main} of namespace {@code default}, with 20 CPUs of the flavor {@code cpu}.
   */
  static final String CPUS =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpu}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 20}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: default}
      spec: {clusterQueue: research}
      """;

  private ClusterQuota() {}
}
