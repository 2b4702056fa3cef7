// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Slice;
import java.util.List;
import java.util.Map;

/**
 * Writes affinity into a Ray worker group so that each replica is on one slice. Which pods are a
 * replica is said by labels that KubeRay, or in its place GKE's webhook for Ray, gives them when
 * they are created, so the cluster has to complete what is written.
 */
final class RayReplicas {
  /** The annotation of workers that says on how many hosts each replica is. */
  static final String HOSTS = "sluice.io/hosts-per-slice";

  private static final String GROUP = "ray.io/group";

  /** Of the two that a pod has not, nothing is asked. */
  private static final List<String> REPLICA =
      List.of("ray.io/worker-group-replica-name", "replicaIndex");

  private static final String TOGETHER = "podAffinity";
  private static final String APART = "podAntiAffinity";
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String TOPOLOGY = "topologyKey";

  private RayReplicas() {}

  /**
   * Writes it into the template of a worker group.
   *
   * @param template what holds the workers' metadata and spec
   * @param hosts how many pods a replica is
   */
  static void put(ObjectNode template, int hosts, List<Slice> slices, AdmittedAttempt attempt) {
    if (hosts > 1 && !slices.isEmpty()) {
      PodTemplateEdits.annotate(template, Labels.of(Map.of(HOSTS, Integer.toString(hosts))));
      if (PodTemplateEdits.areNodePools(slices)) {
        keepApart(template, attempt);
      }
    }
  }

  /**
   * Keeps each replica on one node pool, and all others of its job off that. What the template
   * itself says of who shares a node pool stays.
   */
  private static void keepApart(ObjectNode template, AdmittedAttempt attempt) {
    ObjectNode affinity =
        PodTemplateEdits.object(PodTemplateEdits.object(template, "spec"), "affinity");
    ArrayNode together = terms(affinity, TOGETHER);
    for (JsonNode term : together) {
      if (term.path(TOPOLOGY).asText().equals(NodeLabels.NODE_POOL)) {
        return;
      }
    }
    ObjectNode same = term(together, attempt);
    REPLICA.forEach(same.withArray("matchLabelKeys")::add);
    ObjectNode other = term(terms(affinity, APART), attempt);
    REPLICA.forEach(other.withArray("mismatchLabelKeys")::add);
  }

  private static ArrayNode terms(ObjectNode affinity, String field) {
    ObjectNode owner = PodTemplateEdits.object(affinity, field);
    return owner.get(REQUIRED) instanceof ArrayNode terms ? terms : owner.putArray(REQUIRED);
  }

  /** Pods of the same group of the same job. */
  private static ObjectNode term(ArrayNode terms, AdmittedAttempt attempt) {
    ObjectNode term = terms.addObject();
    term.put(TOPOLOGY, NodeLabels.NODE_POOL);
    term.putObject("labelSelector")
        .putObject("matchLabels")
        .put(AttemptLabels.JOB_ID, attempt.key().job().toString());
    term.putArray("matchLabelKeys").add(GROUP);
    return term;
  }
}
