// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.POJONode;
import io.sluice.queuemodel.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is found wrong with one document. It takes {@value #MAX} and drops the rest. */
final class Violations {
  static final int MAX = 20;

  private final int document;
  private final List<Violation> found = new ArrayList<>();

  Violations(int document) {
    this.document = document;
  }

  /** Number of the document, from 1. */
  int document() {
    return document;
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /** Whether more would be dropped, so that long lists need not be read to their end. */
  boolean isFull() {
    return found.size() >= MAX;
  }

  int count() {
    return found.size();
  }

  List<Violation> found() {
    return found;
  }

  void add(Path path, String value, String message) {
    if (!isFull()) {
      found.add(new Violation(document, path.toString(), value, message));
    }
  }

  /** As {@link #add(Path, String, String)}, with what stands there; null: nothing does. */
  void add(Path path, @Nullable JsonNode node, String message) {
    if (!isFull()) {
      add(path, node == null ? "" : describe(node), message);
    }
  }

  void add(Path path, JsonNode node, InvalidValueException problem) {
    add(path, node, String.valueOf(problem.getMessage()));
  }

  /** What stands there in a few words; never the whole of a list or an object. */
  private static String describe(JsonNode node) {
    if (node.isTextual()) {
      return node.textValue();
    }
    if (node.isArray()) {
      return node.isEmpty() ? "[]" : "[...]";
    }
    if (node.isObject()) {
      return node.isEmpty() ? "{}" : "{...}";
    }
    if (node instanceof POJONode holder && holder.getPojo() instanceof UnreadableScalar scalar) {
      return scalar.text();
    }
    return node.isPojo() || node.isBinary() ? "" : node.asText();
  }
}
