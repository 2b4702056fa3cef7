// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.manifests.template.Expression;
import io.sluice.manifests.template.TemplateScope;
import io.sluice.queuemodel.InvalidValueException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The values that expressions of a step can read in a run: its parameters, the item of a part, the
 * run itself, and the outputs and states of earlier steps.
 *
 * @param item of the part; null: the step is one job
 * @param state outcome of the run; null: not known yet
 */
public record RunScope(RunView run, @Nullable JsonNode item, @Nullable RunState state)
    implements TemplateScope {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  /** Index of the first part of {@code steps.NAME.output.a.b} that is a field of the output. */
  private static final int FIELDS_OF_OUTPUT = 3;

  @Override
  public JsonNode value(Expression expression) {
    return switch (expression.root()) {
      case "item" -> {
        if (item == null) {
          throw missing(expression);
        }
        yield expression.in(item, 1);
      }
      case "parameters" -> {
        String name = expression.part(1);
        String value = name == null ? null : run.parameters().get(name);
        if (value == null) {
          throw missing(expression);
        }
        yield expression.in(json(value), 2);
      }
      case "run" -> TextNode.valueOf(ofRun(expression));
      case "steps" -> ofStep(expression);
      default -> throw missing(expression);
    };
  }

  private String ofRun(Expression expression) {
    String field = expression.part(1);
    RunView.Identity identity = run.identity();
    return switch (field == null ? "" : field) {
      case "id" -> run.id().toString();
      case "name" -> identity.name();
      case "pipeline" -> run.pipeline().meta().name();
      case "logicalTime" -> identity.logicalTime().toString();
      case "schedule" -> identity.schedule();
      case "state" -> {
        if (state == null) {
          throw missing(expression);
        }
        yield state.name().toLowerCase(Locale.ROOT);
      }
      default -> throw missing(expression);
    };
  }

  private JsonNode ofStep(Expression expression) {
    String name = expression.part(1);
    String field = expression.part(2);
    RunStep step = name == null ? null : run.steps().get(name);
    if (step == null || field == null) {
      throw missing(expression);
    }
    return switch (field) {
      case "state" -> TextNode.valueOf(step.state().name().toLowerCase(Locale.ROOT));
      case "output" -> expression.in(output(step, expression), FIELDS_OF_OUTPUT);
      case "outputs" -> expression.in(outputs(step), FIELDS_OF_OUTPUT);
      default -> throw missing(expression);
    };
  }

  private static JsonNode output(RunStep step, Expression expression) {
    String output = step.parts().isEmpty() ? null : step.parts().get(0).output();
    if (output == null) {
      throw new InvalidValueException(
          expression + " is not there: " + step.name() + " gave no output");
    }
    return json(output);
  }

  private static JsonNode outputs(RunStep step) {
    ArrayNode outputs = JsonNodeFactory.instance.arrayNode();
    for (RunPart part : step.parts()) {
      outputs.add(
          part.output() == null ? JsonNodeFactory.instance.nullNode() : json(part.output()));
    }
    return outputs;
  }

  private static InvalidValueException missing(Expression expression) {
    return new InvalidValueException(expression + " is not there");
  }

  /** Parses stored JSON. */
  public static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException notKeptHere) {
      throw new IllegalStateException("the stored text is not JSON: " + text, notKeptHere);
    }
  }
}
