// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.Violations;
import io.sluice.queuemodel.Labels;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps fields of a manifest that Sluice does not use but their origin does. Each is JSON with its
 * keys in order, so that what is equal is kept alike.
 */
public final class KeptFields {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private static final int SCALE_MAX = 40;

  private final Violations violations;
  private final TreeMap<String, String> fields = new TreeMap<>();

  public KeptFields(Violations violations) {
    this.violations = violations;
  }

  /** Keeps what stands in fields of an object, if anything does. */
  public void keep(ObjectCursor cursor, String... names) {
    for (String name : names) {
      JsonNode value = cursor.raw(name);
      JsonNode ordered = value == null ? null : ordered(value, cursor.path(name));
      if (ordered != null) {
        fields.put(name, ordered.toString());
      }
    }
  }

  public Labels kept() {
    return Labels.of(fields);
  }

  /** What stands somewhere, as JSON; null if it cannot be kept, which then was said. */
  public @Nullable String json(JsonNode value, Path path) {
    JsonNode ordered = ordered(value, path);
    return ordered == null ? null : ordered.toString();
  }

  private @Nullable JsonNode ordered(JsonNode value, Path path) {
    if (value.isObject()) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      TreeMap<String, JsonNode> entries = new TreeMap<>();
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        entries.put(entry.getKey(), entry.getValue());
      }
      entries.forEach((key, entry) -> object.set(key, ordered(entry, path.key(key))));
      return object;
    }
    if (value instanceof ArrayNode array) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      for (int i = 0; i < array.size(); i++) {
        list.add(ordered(array.get(i), path.index(i)));
      }
      return list;
    }
    if (value.isIntegralNumber() || value.isBoolean() || value.isNull()) {
      return value;
    }
    if (value.isNumber()) {
      return plain(value, path);
    }
    String text = new ScalarReader(violations).text(value, path);
    return text == null ? null : JsonNodeFactory.instance.textNode(text);
  }

  /** A fraction without the zeros at its end, which do not survive every store. */
  private @Nullable JsonNode plain(JsonNode value, Path path) {
    BigDecimal number = value.decimalValue().stripTrailingZeros();
    if (Math.abs(number.scale()) > SCALE_MAX) {
      violations.add(path, value, "is too large or too small a number");
      return null;
    }
    return number.scale() <= 0
        ? JsonNodeFactory.instance.numberNode(number.toBigIntegerExact())
        : JsonNodeFactory.instance.numberNode(number);
  }

  /** Writes what was kept. */
  public static void put(ObjectNode owner, Labels kept) {
    kept.entries().forEach((name, json) -> owner.set(name, parse(json)));
  }

  /** Reads what was kept. */
  public static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException notKeptHere) {
      throw new IllegalArgumentException("no JSON: " + json, notKeptHere);
    }
  }
}
