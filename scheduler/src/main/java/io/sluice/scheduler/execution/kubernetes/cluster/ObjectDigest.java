// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.sluice.manifests.rendering.AdoptedEdits;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.scheduler.store.job.ShapeRows;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Digest of a user's object, to detect edits. It covers the spec, except whether it is held, and
 * the labels and annotations that Sluice and Kueue read. It is valid only while no assignment is
 * written into the object.
 */
public final class ObjectDigest {
  private static final Set<String> AMOUNTS = Set.of("requests", "limits");

  private static final Set<String> OURS = Set.of(AdoptedEdits.ADOPTED, AdoptedEdits.SUBMITTER);

  private ObjectDigest() {}

  /** Returns a digest that is equal for two objects if and only if they request the same. */
  public static String of(JsonNode object) {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    JsonNode spec = said(object.path("spec"));
    if (spec instanceof ObjectNode fields) {
      fields.remove(List.of("suspend", "schedulingGates"));
    }
    all.set("spec", spec);
    all.set("labels", read(object.path("metadata").path("labels")));
    all.set("annotations", read(object.path("metadata").path("annotations")));
    return ShapeRows.digest(all.toString());
  }

  private static ObjectNode read(JsonNode map) {
    ObjectNode read = JsonNodeFactory.instance.objectNode();
    fields(map)
        .forEach(
            (key, value) -> {
              boolean ours = OURS.contains(key) || AttemptLabels.KEYS.contains(key);
              if (!ours && (key.startsWith("sluice.io/") || key.startsWith("kueue.x-k8s.io/"))) {
                read.set(key, value);
              }
            });
    return read;
  }

  private static Map<String, JsonNode> fields(JsonNode map) {
    Map<String, JsonNode> fields = new TreeMap<>();
    map.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
    return fields;
  }

  /**
   * Normalizes a part of an object, independent of its writer. API servers reorder fields;
   * controllers that write an object back drop or add empty fields and spell amounts differently.
   */
  public static JsonNode said(JsonNode node) {
    if (node.isObject()) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      fields(node)
          .forEach(
              (key, value) -> {
                JsonNode said = AMOUNTS.contains(key) ? amounts(value) : said(value);
                if (!said.isNull() && !(said.isContainerNode() && said.isEmpty())) {
                  object.set(key, said);
                }
              });
      return object;
    }
    if (node.isArray()) {
      var array = JsonNodeFactory.instance.arrayNode();
      node.forEach(one -> array.add(said(one)));
      return array;
    }
    return node;
  }

  /** Normalizes resource amounts: {@code 1}, {@code "1"} and {@code 1000m} are the same. */
  private static JsonNode amounts(JsonNode map) {
    ObjectNode amounts = JsonNodeFactory.instance.objectNode();
    fields(map)
        .forEach(
            (resource, amount) -> {
              try {
                amounts.put(
                    resource,
                    Quantity.parse(amount.asText())
                        .getNumericalAmount()
                        .stripTrailingZeros()
                        .toPlainString());
              } catch (IllegalArgumentException | ArithmeticException noAmount) {
                amounts.set(resource, said(amount));
              }
            });
    return amounts;
  }
}
