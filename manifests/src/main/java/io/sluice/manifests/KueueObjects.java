// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Quota objects as Kueue has them in a cluster: what only we know of them stands in annotations
 * there. What is given and taken again is equal.
 */
public final class KueueObjects {
  /**
   * On a ResourceFlavor in a cluster, the cluster whose nodes it offers: as a node label, which is
   * what it is here, no node would carry it.
   */
  static final String CLUSTER_ANNOTATION = NodeClusters.CLUSTER;

  /** What {@code kubectl apply} keeps: the whole object again. */
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private static final List<String> CHECKS = List.of("admissionChecks", "admissionChecksStrategy");

  private KueueObjects() {}

  /** An object's manifest for Kueue's CRDs in {@code v1beta2}. */
  public static ObjectNode give(QuotaObject object) {
    ObjectNode given = ManifestWriter.toJson(object);
    if (object instanceof ResourceFlavor
        && given.path("spec").path("nodeLabels") instanceof ObjectNode labels
        && labels.has(NodeClusters.CLUSTER)) {
      ((ObjectNode) given.get("metadata"))
          .withObjectProperty("annotations")
          .set(CLUSTER_ANNOTATION, labels.remove(NodeClusters.CLUSTER));
      if (labels.isEmpty()) {
        ((ObjectNode) given.get("spec")).remove("nodeLabels");
      }
    }
    return given;
  }

  /**
   * The manifest of an object of a cluster, for {@link ManifestReader}.
   *
   * @param found as its API server has it; it stays as it is
   * @param cluster whose nodes a flavor offers that does not say so itself; null: the default one's
   */
  public static ObjectNode take(ObjectNode found, @Nullable String cluster) {
    ObjectNode taken = found.deepCopy();
    taken.remove("status");
    JsonNode own = null;
    boolean isFlavor = taken.path("kind").asText().equals(ObjectKind.RESOURCE_FLAVOR.kind());
    if (taken.path("metadata").path("annotations") instanceof ObjectNode annotations) {
      annotations.remove(LAST_APPLIED);
      own = isFlavor ? annotations.remove(CLUSTER_ANNOTATION) : null;
    }
    String named = own == null ? cluster : own.asText();
    if (isFlavor && named != null) {
      taken
          .withObjectProperty("spec")
          .withObjectProperty("nodeLabels")
          .put(NodeClusters.CLUSTER, named);
    }
    return taken;
  }

  /** Leaves the admission checks of a ClusterQueue out; returns whether it has any. */
  public static boolean leaveOutChecks(ObjectNode object) {
    return object.path("spec") instanceof ObjectNode spec
        && CHECKS.stream().filter(check -> spec.remove(check) != null).count() > 0;
  }
}
