// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.POJONode;
import io.sluice.queuemodel.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The faults of one document. It takes {@value #MAX} and drops the rest. */
public final class Violations {
  public static final int MAX = 20;

  private final int document;
  private final List<Violation> found = new ArrayList<>();

  public Violations(int document) {
    this.document = document;
  }

  /** Number of the document, from 1. */
  public int document() {
    return document;
  }

  public boolean isEmpty() {
    return found.isEmpty();
  }

  /** Whether more would be dropped, so that long lists need not be read to their end. */
  public boolean isFull() {
    return found.size() >= MAX;
  }

  public int count() {
    return found.size();
  }

  public List<Violation> found() {
    return found;
  }

  public void add(Path path, String value, String message) {
    if (!isFull()) {
      found.add(new Violation(document, path.toString(), value, message));
    }
  }

  /** As {@link #add(Path, String, String)}, with what stands there; null: nothing does. */
  public void add(Path path, @Nullable JsonNode node, String message) {
    if (!isFull()) {
      add(path, node == null ? "" : describe(node), message);
    }
  }

  public void add(Path path, JsonNode node, InvalidValueException problem) {
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
