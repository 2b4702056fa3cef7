// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.form;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path into a JSON document, in the subset of kubectl's JSONPath that {@link JsonPathParser}
 * reads. A path finds any number of values; a field that does not exist finds none.
 *
 * @param absolute whether the path begins at the document instead of at the current value
 */
record JsonPath(boolean absolute, List<Step> steps) {
  JsonPath {
    steps = List.copyOf(steps);
  }

  /**
   * Returns the values at the path, in document order.
   *
   * @param current the value at which a path that is not absolute begins
   */
  List<JsonNode> find(JsonNode document, JsonNode current) {
    List<JsonNode> found = new ArrayList<>();
    found.add(absolute ? document : current);
    for (Step step : steps) {
      List<JsonNode> next = new ArrayList<>();
      found.forEach(value -> step.select(value, next));
      found = next;
    }
    return found;
  }

  /** Formats a value: text without quotes, objects and lists as JSON, null as nothing. */
  static String text(JsonNode value) {
    if (value.isNull()) {
      return "";
    }
    return value.isContainerNode() ? value.toString() : value.asText();
  }

  /** One step of a path: from a value to those selected below it. */
  sealed interface Step {
    /** Adds the selected values of one value. */
    void select(JsonNode value, List<JsonNode> selected);
  }

  /** The field of an object. */
  record Field(String name) implements Step {
    @Override
    public void select(JsonNode value, List<JsonNode> selected) {
      JsonNode field = value.get(name);
      if (field != null) {
        selected.add(field);
      }
    }
  }

  /** All items of a list, or all fields of an object. */
  record All() implements Step {
    @Override
    public void select(JsonNode value, List<JsonNode> selected) {
      value.forEach(selected::add);
    }
  }

  /** One item of a list; a negative index counts from the end. */
  record Index(int index) implements Step {
    @Override
    public void select(JsonNode value, List<JsonNode> selected) {
      JsonNode item = value.isArray() ? value.get(index < 0 ? value.size() + index : index) : null;
      if (item != null) {
        selected.add(item);
      }
    }
  }

  /**
   * A part of a list; negative bounds count from the end.
   *
   * @param from null: from the beginning
   * @param to exclusive; null: to the end
   */
  record Part(@Nullable Integer from, @Nullable Integer to) implements Step {
    @Override
    public void select(JsonNode value, List<JsonNode> selected) {
      if (!value.isArray()) {
        return;
      }
      int end = to == null ? value.size() : bound(to, value.size());
      for (int index = from == null ? 0 : bound(from, value.size()); index < end; index++) {
        selected.add(value.get(index));
      }
    }

    private static int bound(int written, int size) {
      return Math.max(0, Math.min(size, written < 0 ? size + written : written));
    }
  }

  /**
   * The items of a list that pass a test.
   *
   * @param path the tested value, from the item
   * @param equal whether the value must equal the text; otherwise it must differ
   * @param text null: the value must exist
   */
  record Filter(JsonPath path, boolean equal, @Nullable String text) implements Step {
    @Override
    public void select(JsonNode value, List<JsonNode> selected) {
      if (!value.isArray()) {
        return;
      }
      for (JsonNode item : value) {
        List<JsonNode> tested = path.find(item, item);
        boolean passes =
            !tested.isEmpty()
                && (text == null || JsonPath.text(tested.get(0)).equals(text) == equal);
        if (passes) {
          selected.add(item);
        }
      }
    }
  }
}
