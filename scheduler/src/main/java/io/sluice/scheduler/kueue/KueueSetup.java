// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kueue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * What Kueue has in a cluster, as its API server answered.
 *
 * @param cluster its name
 * @param isDefault whether flavors that name no cluster are of it
 * @param version of Kueue's schema in which it was read
 * @param controllers of Kueue that are to have pods
 * @param webhooks of Kueue's by which the API server asks before it writes
 * @param objects of the kinds that can be quota objects here
 * @param others of the kinds that are left alone
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

  /** A Deployment of Kueue's controller, and how many pods it is to have, at least one. */
  public record Controller(String namespace, String name, int replicas) {}

  /**
   * An object that is left alone.
   *
   * @param namespace empty where the kind has none
   */
  public record Other(String kind, String namespace, String name, String reason) {}
}
