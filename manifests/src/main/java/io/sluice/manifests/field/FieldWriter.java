// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.policy.LabelSelector;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes fields that several kinds share; empty and null values are omitted. */
public final class FieldWriter {
  private FieldWriter() {}

  /** The beginning of a manifest. */
  public static ObjectNode manifest(String apiVersion, String kind, ObjectMeta meta) {
    ObjectNode top = JsonNodeFactory.instance.objectNode();
    top.put("apiVersion", apiVersion).put("kind", kind);
    ObjectNode metadata = top.putObject("metadata");
    metadata.put("name", meta.name());
    if (!meta.namespace().isEmpty()) {
      metadata.put("namespace", meta.namespace());
    }
    putLabels(metadata, "labels", meta.labels());
    putLabels(metadata, "annotations", meta.annotations());
    return top;
  }

  public static void putText(ObjectNode owner, String field, @Nullable String text) {
    if (text != null && !text.isEmpty()) {
      owner.put(field, text);
    }
  }

  public static void putLabels(ObjectNode owner, String field, Labels labels) {
    if (!labels.isEmpty()) {
      ObjectNode map = owner.putObject(field);
      labels.entries().forEach(map::put);
    }
  }

  public static void putTexts(ObjectNode owner, String field, List<String> texts) {
    if (!texts.isEmpty()) {
      texts.forEach(owner.putArray(field)::add);
    }
  }

  /** The entries of a map that stands elsewhere, as they are there. */
  public static void putEntries(ObjectNode map, JsonNode entries) {
    for (Map.Entry<String, JsonNode> entry : entries.properties()) {
      map.set(entry.getKey(), entry.getValue().deepCopy());
    }
  }

  public static void putResources(ObjectNode owner, String field, ResourceList resources) {
    if (!resources.isEmpty()) {
      ObjectNode map = owner.putObject(field);
      resources
          .amounts()
          .forEach(
              (resource, amount) -> map.put(resource.value(), Quantities.format(amount, resource)));
    }
  }

  public static void putTaints(ObjectNode owner, String field, List<Taint> taints) {
    if (taints.isEmpty()) {
      return;
    }
    ArrayNode list = owner.putArray(field);
    for (Taint taint : taints) {
      ObjectNode entry = list.addObject().put("key", taint.key());
      putText(entry, "value", taint.value());
      entry.put("effect", taint.effect().word());
    }
  }

  public static void putTolerations(ObjectNode owner, String field, List<Toleration> tolerations) {
    if (tolerations.isEmpty()) {
      return;
    }
    ArrayNode list = owner.putArray(field);
    for (Toleration toleration : tolerations) {
      ObjectNode entry = list.addObject();
      putText(entry, "key", toleration.key());
      entry.put("operator", toleration.operator().word());
      putText(entry, "value", toleration.value());
      if (toleration.effect() != null) {
        entry.put("effect", toleration.effect().word());
      }
    }
  }

  /** One that selects everything is there without fields, one that is null is not there. */
  public static void putSelector(ObjectNode owner, String field, @Nullable LabelSelector selector) {
    if (selector == null) {
      return;
    }
    ObjectNode node = owner.putObject(field);
    putLabels(node, "matchLabels", selector.matchLabels());
    if (!selector.matchExpressions().isEmpty()) {
      putRequirements(node, selector.matchExpressions());
    }
  }

  private static void putRequirements(
      ObjectNode owner, List<LabelSelector.Requirement> requirements) {
    ArrayNode list = owner.putArray("matchExpressions");
    for (LabelSelector.Requirement requirement : requirements) {
      ObjectNode entry = list.addObject().put("key", requirement.key());
      entry.put("operator", requirement.operator().word());
      putTexts(entry, "values", requirement.values());
    }
  }

  /** What nodes must meet; nothing if any will do. */
  public static void putAffinity(ObjectNode owner, NodeAffinity affinity) {
    if (affinity.terms().isEmpty()) {
      return;
    }
    ArrayNode terms =
        owner
            .putObject("affinity")
            .putObject("nodeAffinity")
            .putObject("requiredDuringSchedulingIgnoredDuringExecution")
            .putArray("nodeSelectorTerms");
    affinity.terms().forEach(term -> putRequirements(terms.addObject(), term));
  }
}
