// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.queuemodel.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A string with expressions between <code>${{</code> and <code>}}</code>. What is to stand there as
 * it is written has one more dollar sign: <code>$${{</code>.
 *
 * @param parts literals and expressions in turn, in order
 */
record TemplateText(List<Part> parts) {
  private static final String OPEN = "${{";
  private static final String CLOSE = "}}";

  /**
   * A piece of the text.
   *
   * @param literal empty of an expression
   * @param expression null of a literal
   */
  record Part(String literal, @Nullable Expression expression) {}

  TemplateText {
    parts = List.copyOf(parts);
  }

  /**
   * Takes a text apart.
   *
   * @throws InvalidValueException if an expression is not right or has no end
   */
  static TemplateText parse(String text) {
    List<Part> parts = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    int at = 0;
    while (true) {
      int open = text.indexOf(OPEN, at);
      if (open < 0) {
        break;
      }
      if (open > at && text.charAt(open - 1) == '$') {
        literal.append(text, at, open - 1).append(OPEN);
        at = open + OPEN.length();
        continue;
      }
      int close = text.indexOf(CLOSE, open);
      if (close < 0) {
        throw new InvalidValueException("has ${{ without }}");
      }
      literal.append(text, at, open);
      if (!literal.isEmpty()) {
        parts.add(new Part(literal.toString(), null));
        literal.setLength(0);
      }
      parts.add(new Part("", Expression.parse(text.substring(open + OPEN.length(), close))));
      at = close + CLOSE.length();
    }
    literal.append(text.substring(at));
    if (!literal.isEmpty() || parts.isEmpty()) {
      parts.add(new Part(literal.toString(), null));
    }
    return new TemplateText(parts);
  }

  /** A text that, taken apart, is the given one and no expression. */
  static String escaped(String text) {
    return text.replace(OPEN, '$' + OPEN);
  }

  List<Expression> expressions() {
    List<Expression> expressions = new ArrayList<>();
    for (Part part : parts) {
      if (part.expression() != null) {
        expressions.add(part.expression());
      }
    }
    return expressions;
  }

  /**
   * The text with values for its expressions. One that is an expression and nothing else becomes
   * the value itself, whatever it is; inside a text only numbers, words and flags can stand.
   *
   * @throws InvalidValueException if a value is not there, or cannot stand in a text
   */
  JsonNode expand(TemplateScope scope) {
    if (parts.size() == 1) {
      Part only = parts.get(0);
      return only.expression() == null
          ? TextNode.valueOf(only.literal())
          : scope.value(only.expression());
    }
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      Expression expression = part.expression();
      if (expression == null) {
        text.append(part.literal());
        continue;
      }
      JsonNode value = scope.value(expression);
      if (!value.isValueNode() || value.isNull()) {
        throw new InvalidValueException(
            expression
                + " is "
                + (value.isNull() ? "null" : value.isArray() ? "a list" : "an object")
                + ", which cannot stand inside a text");
      }
      text.append(value.asText());
    }
    return TextNode.valueOf(text.toString());
  }
}
