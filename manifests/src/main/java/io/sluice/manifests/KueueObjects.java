// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.policy.Queueing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts quota objects to and from Kueue's objects in a cluster; annotations hold fields that
 * Kueue lacks. What is given and taken again is equal, except that a ClusterQueue loses the
 * annotation that says that it is served as in Kueue.
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

  /** On a ClusterQueue taken without them, the admission checks that it has in Kueue, as JSON. */
  static final String CHECKS_ANNOTATION = "sluice.io/kueue-admission-checks";

  private static final ObjectMapper JSON = new ObjectMapper();

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
    if (object instanceof ClusterQueue) {
      putChecks(given);
      leaveOutQueueing(given);
    }
    return given;
  }

  /** An annotation that is no such object stays: somebody else wrote it. */
  private static void putChecks(ObjectNode given) {
    if (!(given.path("metadata").path("annotations") instanceof ObjectNode annotations)) {
      return;
    }
    try {
      JsonNode checks = JSON.readTree(annotations.path(CHECKS_ANNOTATION).asText());
      if (checks.isObject() && CHECKS.containsAll(names(checks))) {
        given.withObjectProperty("spec").setAll((ObjectNode) checks);
        annotations.remove(CHECKS_ANNOTATION);
        if (annotations.isEmpty()) {
          ((ObjectNode) given.get("metadata")).remove("annotations");
        }
      }
    } catch (JsonProcessingException other) {
      // It stays as it is.
    }
  }

  /** Leaves out the annotation that says that a queue is served as in Kueue. */
  private static void leaveOutQueueing(ObjectNode given) {
    if (given.path("metadata").path("annotations") instanceof ObjectNode annotations
        && annotations.path(Queueing.ANNOTATION).asText().equals(Queueing.Mode.KUEUE.word())) {
      annotations.remove(Queueing.ANNOTATION);
      if (annotations.isEmpty()) {
        ((ObjectNode) given.get("metadata")).remove("annotations");
      }
    }
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
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

  /**
   * Moves the admission checks of a ClusterQueue into an annotation, from which {@link #give} puts
   * them back; returns whether it has any.
   */
  public static boolean leaveOutChecks(ObjectNode object) {
    if (!(object.path("spec") instanceof ObjectNode spec)) {
      return false;
    }
    ObjectNode checks = JSON.createObjectNode();
    for (String field : CHECKS) {
      JsonNode value = spec.remove(field);
      if (value != null) {
        checks.set(field, value);
      }
    }
    if (!checks.isEmpty()) {
      object
          .withObjectProperty("metadata")
          .withObjectProperty("annotations")
          .put(CHECKS_ANNOTATION, checks.toString());
    }
    return !checks.isEmpty();
  }
}
