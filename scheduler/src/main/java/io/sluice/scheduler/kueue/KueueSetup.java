// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kueue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * The configuration and workloads of Kueue in a cluster, as its API server returned them.
 *
 * @param cluster its name
 * @param isDefault whether flavors that name no cluster belong to it
 * @param version of Kueue's schema in which it was read
 * @param controllers Deployments of Kueue that are scaled to at least one pod
 * @param webhooks Kueue's webhooks that the API server calls before it writes
 * @param objects of the kinds that become quota objects here
 * @param others of the kinds that are not imported
 * @param missing kinds that the cluster does not have, in words of its API
 * @param workloads that have not ended
 */
public record KueueSetup(
    String cluster,
    boolean isDefault,
    String version,
    List<Controller> controllers,
    List<String> webhooks,
    List<ObjectNode> objects,
    List<Other> others,
    List<String> missing,
    List<SeenWorkload> workloads) {
  public KueueSetup {
    controllers = List.copyOf(controllers);
    webhooks = List.copyOf(webhooks);
    objects = List.copyOf(objects);
    others = List.copyOf(others);
    missing = List.copyOf(missing);
    workloads = List.copyOf(workloads);
  }

  /** A Deployment of Kueue's controller, with its number of replicas, at least one. */
  public record Controller(String namespace, String name, int replicas) {}

  /**
   * An object that is not imported.
   *
   * @param namespace empty for cluster-scoped kinds
   */
  public record Other(String kind, String namespace, String name, String reason) {}
}
