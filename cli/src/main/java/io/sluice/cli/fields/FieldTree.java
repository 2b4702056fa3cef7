// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Builds the fields of a kind from their paths, such as {@code spec.podSets[].name} or {@code
 * metadata.annotations[sluice.io/rungs][].deadline}. An object that is only part of longer paths
 * becomes a field without a meaning.
 */
final class FieldTree {
  /** A name, or what is between brackets: a key, or nothing after the name of a list. */
  private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[([^\\]]*)\\]");

  private final Node root = new Node("");

  /** A field whose parts are not complete. */
  private static final class Node {
    private final String name;
    private final Map<String, Node> below = new LinkedHashMap<>();
    private boolean list;
    private String type = "";
    private String fallback = "";
    private String meaning = "";

    Node(String name) {
      this.name = name;
    }

    Node below(String wanted) {
      return below.computeIfAbsent(wanted, Node::new);
    }

    ExplainedField field() {
      return new ExplainedField(name, list, type, fallback, meaning, fields());
    }

    List<ExplainedField> fields() {
      List<ExplainedField> fields = new ArrayList<>();
      below.values().forEach(node -> fields.add(node.field()));
      return fields;
    }
  }

  void add(String path, String type, String fallback, String meaning) {
    Node node = root;
    for (Matcher step = STEP.matcher(path); step.find(); ) {
      String name = step.group(1) != null ? step.group(1) : step.group(2);
      if (name.isEmpty()) {
        node.list = true;
      } else {
        node = node.below(name);
      }
    }
    node.type = type;
    node.fallback = fallback;
    node.meaning = meaning;
  }

  List<ExplainedField> fields() {
    return root.fields();
  }
}
