// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.template;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.InvalidValueException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path to a value, as {@code steps.ingest.output.rows}. There is nothing else: no operators, no
 * functions.
 *
 * @param path its parts, the first of which says where to look; at least one
 */
public record Expression(List<String> path) {
  private static final Pattern NOTATION =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,62}(\\.[A-Za-z0-9_][A-Za-z0-9_-]{0,62}){0,15}");
  private static final Pattern DOT = Pattern.compile("\\.");

  public Expression {
    path = List.copyOf(path);
  }

  /**
   * Reads the notation.
   *
   * @throws InvalidValueException if the text is none
   */
  static Expression parse(String text) {
    String stripped = text.strip();
    if (!NOTATION.matcher(stripped).matches()) {
      throw new InvalidValueException(
          "${{" + text + "}} must be names with dots between them, as in parameters.date");
    }
    return new Expression(DOT.splitAsStream(stripped).toList());
  }

  public String root() {
    return path.get(0);
  }

  /** The part of that number, from 0; null if there are not so many. */
  public @Nullable String part(int number) {
    return number < path.size() ? path.get(number) : null;
  }

  /**
   * What stands in a value at the end of the path.
   *
   * @param from number of the first part that is looked for in the value
   * @throws InvalidValueException if it has no such field or entry
   */
  public JsonNode in(JsonNode value, int from) {
    JsonNode found = value;
    for (int i = from; i < path.size(); i++) {
      String part = path.get(i);
      JsonNode next = found.isArray() ? entry(found, part) : found.get(part);
      if (next == null) {
        throw new InvalidValueException(
            this + " is not there: " + String.join(".", path.subList(0, i)) + " has no " + part);
      }
      found = next;
    }
    return found;
  }

  private static @Nullable JsonNode entry(JsonNode array, String part) {
    try {
      return array.get(Integer.parseInt(part));
    } catch (NumberFormatException notNumber) {
      return null;
    }
  }

  @Override
  public String toString() {
    return String.join(".", path);
  }
}
