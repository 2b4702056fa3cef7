// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Where two documents differ: a line for each value that was added, taken away or replaced. */
final class ChangedPaths {
  private ChangedPaths() {}

  /** Lines as {@code + /spec/suspend}, {@code - /status}, {@code ~ /metadata/name}. */
  static List<String> of(JsonNode before, JsonNode after) {
    List<String> changes = new ArrayList<>();
    compare(before, after, "", changes);
    return changes;
  }

  private static void compare(JsonNode before, JsonNode after, String path, List<String> changes) {
    if (before.isObject() && after.isObject()) {
      TreeSet<String> fields = new TreeSet<>();
      before.fieldNames().forEachRemaining(fields::add);
      after.fieldNames().forEachRemaining(fields::add);
      for (String field : fields) {
        compare(before.path(field), after.path(field), path + "/" + field, changes);
      }
    } else if (before.isArray() && after.isArray()) {
      for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
        compare(before.path(i), after.path(i), path + "/" + i, changes);
      }
    } else if (before.isMissingNode() && !after.isMissingNode()) {
      added(after, path, changes);
    } else if (after.isMissingNode() && !before.isMissingNode()) {
      changes.add("- " + path);
    } else if (!before.equals(after)) {
      changes.add("~ " + path);
    }
  }

  private static void added(JsonNode node, String path, List<String> changes) {
    if (node.isObject() && !node.isEmpty()) {
      node.properties()
          .forEach(entry -> added(entry.getValue(), path + "/" + entry.getKey(), changes));
    } else {
      changes.add("+ " + path);
    }
  }
}
