// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.POJONode;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.UnreadableScalar;
import io.sluice.manifests.document.Violations;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import java.math.BigDecimal;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads single values; a wrong value is recorded as a violation and returned as null. */
public final class ScalarReader {
  private final Violations violations;

  public ScalarReader(Violations violations) {
    this.violations = violations;
  }

  /** Text that can be stored and shown anywhere: whole characters, none of them NUL. */
  public @Nullable String text(JsonNode node, Path path) {
    if (refuseUnreadable(node, path)) {
      return null;
    }
    if (!node.isTextual()) {
      violations.add(
          path,
          node,
          node.isContainerNode() || node.isNull()
              ? "must be text"
              : "must be text: put it in quotes");
      return null;
    }
    String text = node.textValue();
    if (!isStorable(text)) {
      violations.add(path, node, "must not hold NUL or half a character");
      return null;
    }
    return text;
  }

  /**
   * Text that obeys a rule.
   *
   * @param rule gives back what it is given or throws {@link InvalidValueException}
   */
  @Nullable String checked(JsonNode node, Path path, UnaryOperator<String> rule) {
    String text = text(node, path);
    if (text == null) {
      return null;
    }
    try {
      return rule.apply(text);
    } catch (InvalidValueException problem) {
      violations.add(path, node, problem);
      return null;
    }
  }

  /** A whole number between two, both included. */
  public @Nullable Long whole(JsonNode node, Path path, long min, long max) {
    if (refuseUnreadable(node, path)) {
      return null;
    }
    if (!node.isIntegralNumber()) {
      violations.add(
          path,
          node,
          node.isTextual() ? "must be a whole number, without quotes" : "must be a whole number");
      return null;
    }
    if (!node.canConvertToLong() || node.longValue() < min || node.longValue() > max) {
      violations.add(path, node, "must be between " + min + " and " + max);
      return null;
    }
    return node.longValue();
  }

  @Nullable Boolean flag(JsonNode node, Path path) {
    if (!node.isBoolean()) {
      violations.add(path, node, "must be true or false");
      return null;
    }
    return node.booleanValue();
  }

  /** An amount in the resource's counted unit, written as text or as a number. */
  public @Nullable Long quantity(JsonNode node, Path path, ResourceName resource) {
    if (refuseUnreadable(node, path)) {
      return null;
    }
    if (!node.isTextual() && !node.isNumber()) {
      violations.add(path, node, "must be a quantity such as 4, 500m or 16Gi");
      return null;
    }
    try {
      return Quantities.parse(node.asText(), resource);
    } catch (InvalidValueException problem) {
      violations.add(path, node, problem);
      return null;
    }
  }

  /** A number, written as text or as one. */
  public @Nullable BigDecimal exactQuantity(JsonNode node, Path path) {
    if (refuseUnreadable(node, path)) {
      return null;
    }
    try {
      if (node.isNumber() || node.isTextual()) {
        return Quantities.exact(node.asText());
      }
      violations.add(path, node, "must be a number");
    } catch (InvalidValueException problem) {
      violations.add(path, node, String.valueOf(problem.getMessage()));
    }
    return null;
  }

  @Nullable BigDecimal decimal(JsonNode node, Path path) {
    if (refuseUnreadable(node, path)) {
      return null;
    }
    try {
      if (node.isNumber() || node.isTextual()) {
        return new BigDecimal(node.asText());
      }
    } catch (NumberFormatException notNumber) {
      // Said below, as of everything else that is no number.
    }
    violations.add(path, node, "must be a number");
    return null;
  }

  private boolean refuseUnreadable(JsonNode node, Path path) {
    if (node instanceof POJONode holder && holder.getPojo() instanceof UnreadableScalar scalar) {
      violations.add(path, scalar.text(), scalar.message());
      return true;
    }
    return false;
  }

  private static boolean isStorable(String text) {
    for (int at = 0; at < text.length(); at++) {
      char unit = text.charAt(at);
      if (unit == 0 || Character.isLowSurrogate(unit)) {
        return false;
      }
      if (Character.isHighSurrogate(unit)) {
        at++;
        if (at == text.length() || !Character.isLowSurrogate(text.charAt(at))) {
          return false;
        }
      }
    }
    return true;
  }
}
