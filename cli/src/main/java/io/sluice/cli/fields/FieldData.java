// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes a field as JSON for other programs. */
final class FieldData {
  private FieldData() {}

  /** Returns the field; recursive: with all fields inside it, else with those one level down. */
  static ObjectNode of(FoundField found, boolean recursive) {
    ObjectNode data = of(found.kind());
    data.put("path", found.path());
    describe(found.field(), data);
    fields(found.field(), found.path(), recursive, data);
    return data;
  }

  /** Returns one object for each kind, without fields. */
  static List<JsonNode> kinds(List<ExplainedKind> kinds) {
    return kinds.stream().<JsonNode>map(kind -> of(kind).put("meaning", kind.meaning())).toList();
  }

  private static ObjectNode of(ExplainedKind kind) {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("kind", kind.name());
    put(data, "version", kind.version());
    return data.put("page", kind.page());
  }

  private static void describe(ExplainedField field, ObjectNode data) {
    put(data, "type", field.shownType());
    put(data, "default", field.fallback());
    put(data, "meaning", field.meaning());
  }

  private static void fields(
      ExplainedField field, String path, boolean recursive, ObjectNode data) {
    if (field.fields().isEmpty()) {
      return;
    }
    ArrayNode list = data.putArray("fields");
    for (ExplainedField inside : field.fields()) {
      ObjectNode entry = list.addObject();
      String place = field.pathOf(inside, path);
      entry.put("name", inside.name());
      entry.put("path", place);
      describe(inside, entry);
      if (recursive) {
        fields(inside, place, true, entry);
      }
    }
  }

  private static void put(ObjectNode data, String name, String value) {
    if (!value.isEmpty()) {
      data.put(name, value);
    }
  }
}
