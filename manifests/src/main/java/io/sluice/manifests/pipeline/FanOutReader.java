// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.field.KeptFields;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.pipeline.FanOut;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code forEach} and {@code matrix}: the items of a step, one job each. */
final class FanOutReader {
  static final int ITEMS_MAX = 5000;
  private static final int AXES_MAX = 10;
  private static final int BOUND = 1_000_000_000;
  private static final String EXPRESSION_OPENS = "${{";

  private FanOutReader() {}

  /** Null if the step is one job. */
  static @Nullable FanOut read(ObjectCursor step) {
    int maxParallel = step.whole("maxParallel", 1, ITEMS_MAX, ITEMS_MAX);
    JsonNode forEach = step.raw("forEach");
    List<JsonNode> items = new ArrayList<>();
    ObjectCursor matrix = step.object("matrix", "a matrix");
    if (forEach == null && matrix == null) {
      if (step.has("maxParallel")) {
        step.refuse("maxParallel", "must not be there without forEach or matrix");
      }
      return null;
    }
    if (forEach != null && matrix != null) {
      step.refuse("matrix", "must not be there beside forEach");
      return null;
    }
    if (matrix != null) {
      items.addAll(combinations(step));
    } else if (forEach != null && forEach.isTextual()) {
      if (!forEach.textValue().strip().startsWith(EXPRESSION_OPENS)) {
        step.refuse("forEach", "must be a list, a range, or ${{...}} that gives a list");
      }
      return new FanOut(List.of(), forEach.textValue(), maxParallel);
    } else if (forEach instanceof ArrayNode list) {
      list.forEach(items::add);
      step.requireEntries("forEach");
    } else {
      items.addAll(range(step));
    }
    if (items.size() > ITEMS_MAX) {
      step.refuse(
          matrix == null ? "forEach" : "matrix",
          "makes " + items.size() + " jobs: at most " + ITEMS_MAX);
      return null;
    }
    KeptFields kept = new KeptFields(step.violations());
    Path place = step.path(matrix == null ? "forEach" : "matrix");
    List<String> texts = new ArrayList<>();
    for (JsonNode item : items) {
      String text = kept.json(item, place);
      texts.add(text == null ? "null" : text);
    }
    return new FanOut(texts, null, maxParallel);
  }

  /** {@code {range: {from, to, by}}}, both ends included. */
  private static List<JsonNode> range(ObjectCursor step) {
    ObjectCursor forEach = step.object("forEach", "a list, a range, or ${{...}}");
    ObjectCursor range = forEach == null ? null : forEach.object("range", "a range");
    List<JsonNode> items = new ArrayList<>();
    if (forEach == null || range == null) {
      if (forEach != null) {
        forEach.require("range");
      }
      return items;
    }
    range.require("to");
    int from = range.whole("from", -BOUND, BOUND, 0);
    int to = range.whole("to", -BOUND, BOUND, from);
    int by = range.whole("by", 1, BOUND, 1);
    range.end();
    forEach.end();
    if (to < from) {
      range.refuse("to", "must not be less than from");
    }
    for (long item = from; item <= to && items.size() <= ITEMS_MAX; item += by) {
      items.add(LongNode.valueOf(item));
    }
    return items;
  }

  /** All combinations of the values of all axes; the last axis changes first. */
  private static List<JsonNode> combinations(ObjectCursor step) {
    List<ObjectNode> items = new ArrayList<>();
    items.add(JsonNodeFactory.instance.objectNode());
    JsonNode matrix = step.raw("matrix");
    if (matrix == null || matrix.isEmpty() || matrix.size() > AXES_MAX) {
      step.refuse("matrix", "must have between 1 and " + AXES_MAX + " axes");
      return List.of();
    }
    for (Map.Entry<String, JsonNode> axis : matrix.properties()) {
      if (!(axis.getValue() instanceof ArrayNode values) || values.isEmpty()) {
        step.refuse("matrix", "must have a list with at least one entry for " + axis.getKey());
        return List.of();
      }
      List<ObjectNode> more = new ArrayList<>();
      for (ObjectNode item : items) {
        for (JsonNode value : values) {
          if (more.size() <= ITEMS_MAX) {
            more.add(item.deepCopy().set(axis.getKey(), value));
          }
        }
      }
      items = more;
    }
    return List.copyOf(items);
  }
}
