// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.form;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.ManifestWriter;
import java.util.List;

/** Writes answers as JSON or YAML for other programs. */
public final class Documents {
  private Documents() {}

  /** Returns the object {@code {"items": [...]}}. */
  static ObjectNode list(List<JsonNode> items) {
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    list.putArray("items").addAll(items);
    return list;
  }

  /** Writes indented JSON, ending with a line break. */
  static String json(JsonNode document) {
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(document)
          + System.lineSeparator();
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Writes YAML, which begins with {@code ---} and ends with a line break. */
  public static String yaml(JsonNode document) {
    return ManifestWriter.writeYaml((ObjectNode) document);
  }
}
