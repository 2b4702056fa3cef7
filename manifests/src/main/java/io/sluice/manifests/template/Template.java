// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.queuemodel.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A template: JSON with expressions in its strings. Keys are never expressions. */
public final class Template {
  /** Where a job takes texts only: words of commands, variables, labels. */
  private static final Pattern TEXT_PLACE =
      Pattern.compile(
          "(.*\\.)?((command|args)\\[\\d+]|env\\[\\d+]\\.value|(env|labels|annotations)\\.[^\\[]+)");

  private final JsonNode root;

  /**
   * What is wrong with a template, or with what it is given.
   *
   * @param place in the template, as {@code spec.command[2]}; empty: all of it
   */
  public record Fault(String place, String message) {}

  /** An expression, and where it stands. */
  public record Placed(String place, Expression expression) {}

  public Template(JsonNode root) {
    this.root = root;
  }

  /** All expressions, in the order in which they stand; faults of those that are not right. */
  public List<Placed> expressions(List<Fault> faults) {
    List<Placed> found = new ArrayList<>();
    walk(
        root,
        "",
        faults,
        (place, text) -> {
          for (Expression expression : TemplateText.parse(text).expressions()) {
            found.add(new Placed(place, expression));
          }
          return root;
        });
    return found;
  }

  /** The template with values; of use only if there are no faults then. */
  public JsonNode expand(TemplateScope scope, List<Fault> faults) {
    return walk(root, "", faults, (place, text) -> TemplateText.parse(text).expand(scope));
  }

  /**
   * As {@link #expand}, of the manifest of a job: where that has texts only, a number or flag is
   * its text, a list or an object its JSON.
   */
  public JsonNode expandJob(TemplateScope scope, List<Fault> faults) {
    return walk(
        root,
        "",
        faults,
        (place, text) -> {
          JsonNode value = TemplateText.parse(text).expand(scope);
          boolean asText = !value.isTextual() && TEXT_PLACE.matcher(place).matches();
          return !asText
              ? value
              : TextNode.valueOf(value.isValueNode() ? value.asText() : value.toString());
        });
  }

  /** A template that gives a tree of JSON as it is: nothing in its texts is an expression. */
  public static JsonNode literal(JsonNode root) {
    return walk(
        root, "", new ArrayList<>(), (place, text) -> TextNode.valueOf(TemplateText.escaped(text)));
  }

  /** What becomes of a text. */
  private interface TextStep {
    JsonNode take(String place, String text);
  }

  private static JsonNode walk(JsonNode node, String place, List<Fault> faults, TextStep step) {
    if (node instanceof ObjectNode object) {
      ObjectNode walked = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        String inner = place.isEmpty() ? field.getKey() : place + "." + field.getKey();
        walked.set(field.getKey(), walk(field.getValue(), inner, faults, step));
      }
      return walked;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode walked = JsonNodeFactory.instance.arrayNode();
      for (int i = 0; i < array.size(); i++) {
        walked.add(walk(array.get(i), place + "[" + i + "]", faults, step));
      }
      return walked;
    }
    if (node.isTextual()) {
      try {
        return step.take(place, node.textValue());
      } catch (InvalidValueException problem) {
        faults.add(new Fault(place, String.valueOf(problem.getMessage())));
      }
    }
    return node;
  }
}
