// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields of a case as they are, without defaults; only amounts that cannot be computed with
 * are refused.
 */
final class CaseFields {
  private CaseFields() {}

  static @Nullable String text(JsonNode node, String field) {
    return node.hasNonNull(field) ? node.get(field).asText() : null;
  }

  static String text(JsonNode node, String field, String fallback) {
    return node.hasNonNull(field) ? node.get(field).asText() : fallback;
  }

  static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(item -> texts.add(item.asText()));
    return texts;
  }

  static Labels labels(JsonNode map) {
    TreeMap<String, String> labels = new TreeMap<>();
    map.properties().forEach(entry -> labels.put(entry.getKey(), entry.getValue().asText()));
    return Labels.of(labels);
  }

  static ObjectMeta meta(JsonNode object) {
    JsonNode meta = object.path("metadata");
    return new ObjectMeta(
        text(meta, "namespace", ""),
        text(meta, "name", ""),
        labels(meta.path("labels")),
        labels(meta.path("annotations")));
  }

  /** A point in time; null if there is none. */
  static @Nullable Instant instant(JsonNode node, String field) {
    String written = text(node, field);
    try {
      return written == null ? null : Instant.parse(written);
    } catch (DateTimeParseException notTime) {
      throw new InvalidValueException(field + " is no time: " + written);
    }
  }

  /** An amount in the resource's counted unit; more than can be counted is the most that can. */
  static long amount(JsonNode written, ResourceName resource) {
    try {
      return Quantities.parseSaturated(written.asText(), resource);
    } catch (InvalidValueException problem) {
      throw new InvalidValueException(
          "amount \"" + written.asText() + "\" of " + resource + " " + problem.getMessage());
    }
  }

  static ResourceList resources(JsonNode map) {
    SortedMap<ResourceName, Long> amounts = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : map.properties()) {
      ResourceName resource = new ResourceName(entry.getKey());
      amounts.put(resource, amount(entry.getValue(), resource));
    }
    return new ResourceList(amounts);
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static void put(ObjectNode map, ResourceName resource, long amount) {
    map.put(resource.value(), Quantities.format(amount, resource));
  }

  static void put(ObjectNode map, ResourceList amounts) {
    amounts.amounts().forEach((resource, amount) -> put(map, resource, amount));
  }
}
