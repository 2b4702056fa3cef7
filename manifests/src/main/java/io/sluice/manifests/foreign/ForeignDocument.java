// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.UnreadableScalar;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.ScalarReader;
import io.sluice.manifests.field.Schema;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * An object of another system in an input.
 *
 * @param root without anything that could mean several things
 * @param path where in its document it stands
 */
record ForeignDocument(ObjectNode root, Path path, Violations violations) {
  private static final Pattern OCTAL = Pattern.compile("0[0-7]{1,9}");
  private static final int OCTAL_BASE = 8;

  /**
   * The object, kept whole but for fields that are null: for API servers these are not set. Of a
   * scalar that could mean several things only the modes of files are taken, {@code 0644}: every
   * reader of Kubernetes' manifests takes them for octal.
   */
  static ForeignDocument of(ObjectNode root, Path path, Violations violations) {
    return new ForeignDocument((ObjectNode) plain(root, path, violations), path, violations);
  }

  private static JsonNode plain(JsonNode node, Path path, Violations violations) {
    if (node.isObject()) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> entry : node.properties()) {
        if (!entry.getValue().isNull()) {
          Path field = path.field(entry.getKey());
          object.set(entry.getKey(), plain(entry.getValue(), field, violations));
        }
      }
      return object;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      for (int i = 0; i < array.size(); i++) {
        list.add(plain(array.get(i), path.index(i), violations));
      }
      return list;
    }
    if (node instanceof POJONode holder && holder.getPojo() instanceof UnreadableScalar scalar) {
      if (OCTAL.matcher(scalar.text()).matches()) {
        return JsonNodeFactory.instance.numberNode(Integer.parseInt(scalar.text(), OCTAL_BASE));
      }
      violations.add(path, scalar.text(), scalar.message());
    } else if (node.isTextual()) {
      new ScalarReader(violations).text(node, path);
    }
    return node;
  }

  String apiVersion() {
    return root.path("apiVersion").asText();
  }

  String kind() {
    return root.path("kind").asText();
  }

  String name() {
    return root.path("metadata").path("name").asText();
  }

  /** The namespace that it is in, or would be in if it is of one. */
  String namespace() {
    return root.path("metadata").path("namespace").asText(Schema.DEFAULT_NAMESPACE);
  }

  ObjectCursor cursor() {
    ObjectCursor cursor = ObjectCursor.open(root, path, "a manifest", violations);
    if (cursor == null) {
      throw new IllegalStateException("an object that is none: " + root);
    }
    return cursor;
  }
}
