// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.quota.Topology;
import java.util.List;
import java.util.Map;

/** Writes an admission into a pod template. */
final class PodTemplateEdits {
  private static final String SELECTOR = "nodeSelector";
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String TERMS = "nodeSelectorTerms";
  private static final String NUMBER_OF_SLICES = "MEGASCALE_NUM_SLICES";
  private static final String EXPRESSIONS = "matchExpressions";

  private final ObjectNode template;

  /**
   * @param template what holds the pods' metadata and spec
   */
  PodTemplateEdits(ObjectNode template) {
    this.template = template;
  }

  /** Puts labels on metadata, over those of the same keys. */
  static void label(ObjectNode owner, Labels labels) {
    ObjectNode map = object(object(owner, "metadata"), "labels");
    labels.entries().forEach(map::put);
  }

  /**
   * Sends the pods where they were admitted.
   *
   * @throws InvalidValueException if they select something else themselves
   */
  void place(AdmittedPodSet admitted) {
    ObjectNode spec = object(template, "spec");
    select(spec, admitted.nodeLabels());
    List<String> pools = admitted.slices().stream().map(PodTemplateEdits::nodePool).toList();
    if (!admitted.slices().stream().allMatch(PodTemplateEdits::isNodePool)) {
      require(
          spec,
          Topology.HOSTNAME,
          admitted.slices().stream().flatMap(slice -> hostNames(slice).stream()).toList());
    } else if (pools.size() == 1) {
      select(spec, Labels.of(Map.of(NodeLabels.NODE_POOL, pools.get(0))));
    } else if (pools.size() > 1) {
      require(spec, NodeLabels.NODE_POOL, pools);
    }
    if (admitted.isSpread()) {
      hold(admitted.name());
    } else {
      admitted.domains().forEach(domain -> select(spec, domain.nodeLabels()));
    }
    tolerate(spec, admitted.tolerations());
    annotate(template, admitted.annotations());
  }

  /** Gates pods of which each is told by itself where it goes. */
  void hold(String podSet) {
    gate();
    label(template, Labels.of(Map.of(AttemptLabels.POD_SET, podSet)));
  }

  /** Puts annotations on metadata, over those of the same keys. */
  static void annotate(ObjectNode owner, Labels annotations) {
    if (!annotations.isEmpty()) {
      ObjectNode map = object(object(owner, "metadata"), "annotations");
      annotations.entries().forEach(map::put);
    }
  }

  /** Whether they are several, and each has a node pool for itself. */
  static boolean areNodePools(List<Slice> slices) {
    return slices.size() > 1 && slices.stream().allMatch(PodTemplateEdits::isNodePool);
  }

  /** Not so of what is formed of slices, and of one of several in a node pool, each a node. */
  private static boolean isNodePool(Slice slice) {
    return !slice.isFormed() && slice.labels().get(Topology.HOSTNAME) == null;
  }

  /** The label by which the nodes of a slice are told from others; none of one that is formed. */
  static Labels label(Slice slice) {
    if (isNodePool(slice)) {
      return Labels.of(Map.of(NodeLabels.NODE_POOL, nodePool(slice)));
    }
    return slice.isFormed()
        ? Labels.NONE
        : Labels.of(Map.of(Topology.HOSTNAME, hostNames(slice).get(0)));
  }

  /** A slice that is one node has the labels of the node, which tell its name there. */
  private static List<String> hostNames(Slice slice) {
    String only = slice.labels().get(Topology.HOSTNAME);
    return only == null ? slice.hosts() : List.of(only);
  }

  /** The node pool that a slice is: the one that its nodes name, else that of its name. */
  static String nodePool(Slice slice) {
    String named = slice.labels().get(NodeLabels.NODE_POOL);
    return named == null ? slice.name() : named;
  }

  private static void select(ObjectNode spec, Labels labels) {
    if (labels.isEmpty()) {
      return;
    }
    ObjectNode selector = object(spec, SELECTOR);
    for (Map.Entry<String, String> label : labels.entries().entrySet()) {
      String selected = selector.path(label.getKey()).asText(label.getValue());
      if (!selected.equals(label.getValue())) {
        throw new InvalidValueException(
            "pods select "
                + label.getKey()
                + ": "
                + selected
                + ", and were admitted to "
                + label.getValue());
      }
      selector.put(label.getKey(), label.getValue());
    }
  }

  /** Adds a requirement to each term of the node affinity, or makes the one term. */
  private static void require(ObjectNode spec, String key, List<String> values) {
    ObjectNode affinity = object(object(object(spec, "affinity"), "nodeAffinity"), REQUIRED);
    ArrayNode terms = array(affinity, TERMS);
    if (terms.isEmpty()) {
      terms.addObject();
    }
    for (JsonNode term : terms) {
      ObjectNode requirement = array((ObjectNode) term, EXPRESSIONS).addObject();
      requirement.put("key", key).put("operator", "In");
      FieldWriter.putTexts(requirement, "values", values);
    }
  }

  private static void tolerate(ObjectNode spec, List<Toleration> tolerations) {
    ObjectNode holder = JsonNodeFactory.instance.objectNode();
    FieldWriter.putTolerations(holder, "tolerations", tolerations);
    for (JsonNode toleration : holder.path("tolerations")) {
      ArrayNode there = array(spec, "tolerations");
      boolean known = false;
      for (JsonNode other : there) {
        known |= other.equals(toleration);
      }
      if (!known) {
        there.add(toleration);
      }
    }
  }

  /**
   * Has the containers told how many slices there are, where the manifest tells them a number.
   *
   * @param named how many the manifest names; another number means something else
   */
  void tellSlices(String named, String given) {
    for (JsonNode container : template.path("spec").path("containers")) {
      for (JsonNode variable : container.path("env")) {
        if (variable instanceof ObjectNode told
            && told.path("name").asText().equals(NUMBER_OF_SLICES)
            && told.path("value").asText().equals(named)) {
          told.put("value", given);
        }
      }
    }
  }

  /** Keeps the pod from being scheduled until its gate is taken away. */
  void gate() {
    if (!AttemptLabels.isGated(template)) {
      array(object(template, "spec"), "schedulingGates")
          .addObject()
          .put("name", AttemptLabels.GATE);
    }
  }

  /** The object in a field, made if there is none or null stands there. */
  static ObjectNode object(ObjectNode owner, String field) {
    return owner.get(field) instanceof ObjectNode object ? object : owner.putObject(field);
  }

  private static ArrayNode array(ObjectNode owner, String field) {
    return owner.get(field) instanceof ArrayNode array ? array : owner.putArray(field);
  }
}
