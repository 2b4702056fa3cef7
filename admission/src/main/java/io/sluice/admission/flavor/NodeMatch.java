// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks whether a flavor's nodes, as far as the flavor describes them, accept pods. */
final class NodeMatch {
  private NodeMatch() {}

  /** Returns what excludes the pods from the flavor; null if nothing does. */
  static Obstacle.@Nullable Kind obstacle(PodSet podSet, ResourceFlavor flavor, Fleet fleet) {
    for (Taint taint : flavor.nodeTaints()) {
      Stream<Toleration> tolerations =
          Stream.concat(podSet.tolerations().stream(), flavor.tolerations().stream());
      if (taint.repels() && tolerations.noneMatch(toleration -> toleration.tolerates(taint))) {
        return Obstacle.Kind.UNTOLERATED_TAINT;
      }
    }
    if (!podSet.affinity().permits(flavor.nodeLabels())) {
      return Obstacle.Kind.NODE_SELECTOR;
    }
    // Nodes may have labels that the flavor does not name, so a missing label excludes nothing.
    for (Map.Entry<String, String> wanted : podSet.nodeSelector().entries().entrySet()) {
      String offered = flavor.nodeLabels().get(wanted.getKey());
      if (offered != null && !offered.equals(wanted.getValue())) {
        return Obstacle.Kind.NODE_SELECTOR;
      }
    }
    return fleet.unreachedClusters().contains(NodeClusters.ofFlavor(flavor.nodeLabels()))
        ? Obstacle.Kind.CLUSTER_NOT_REACHED
        : null;
  }
}
