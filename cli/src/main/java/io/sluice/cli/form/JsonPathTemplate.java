// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.form;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.options.WrongUsageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A template as in kubectl: text with paths in braces. {@code {range PATH}...{end}} repeats its
 * content for each value of the path, and {@code {"text"}} is text with the escapes {@code \n} and
 * {@code \t}.
 */
final class JsonPathTemplate {
  private static final String OPTION = "-o jsonpath";
  private static final int LENGTH_MAX = 4096;
  private static final int RANGES_MAX = 8;

  private final List<Part> parts;

  private JsonPathTemplate(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /** A part of a template. */
  private sealed interface Part {
    void write(JsonNode document, JsonNode current, StringBuilder out);
  }

  private record Text(String text) implements Part {
    @Override
    public void write(JsonNode document, JsonNode current, StringBuilder out) {
      out.append(text);
    }
  }

  /** The values at a path, separated by spaces. */
  private record Values(JsonPath path) implements Part {
    @Override
    public void write(JsonNode document, JsonNode current, StringBuilder out) {
      String separator = "";
      for (JsonNode value : path.find(document, current)) {
        out.append(separator).append(JsonPath.text(value));
        separator = " ";
      }
    }
  }

  /** Parts that are repeated; the list grows until its {@code {end}} is read. */
  private record Range(JsonPath path, List<Part> repeated) implements Part {
    @Override
    public void write(JsonNode document, JsonNode current, StringBuilder out) {
      for (JsonNode value : path.find(document, current)) {
        repeated.forEach(part -> part.write(document, value, out));
      }
    }
  }

  /**
   * Parses a template.
   *
   * @throws WrongUsageException naming the part that is wrong or not supported
   */
  static JsonPathTemplate parse(String text) {
    if (text.length() > LENGTH_MAX) {
      throw new WrongUsageException(
          OPTION + " must have at most " + LENGTH_MAX + " characters, it has " + text.length());
    }
    if (text.indexOf('{') < 0) {
      throw new WrongUsageException(
          OPTION + " needs a path in braces, such as {.metadata.name}, it is \"" + text + "\"");
    }
    Deque<List<Part>> open = new ArrayDeque<>();
    open.push(new ArrayList<>());
    int at = 0;
    while (at < text.length()) {
      int brace = text.indexOf('{', at);
      if (brace != at) {
        int end = brace < 0 ? text.length() : brace;
        open.element().add(new Text(text.substring(at, end)));
        at = end;
      } else {
        int end = closing(text, brace);
        add(text.substring(brace + 1, end).strip(), open);
        at = end + 1;
      }
    }
    if (open.size() > 1) {
      throw new WrongUsageException(OPTION + " has a {range} without its {end}");
    }
    return new JsonPathTemplate(open.element());
  }

  private static void add(String inside, Deque<List<Part>> open) {
    if (inside.equals("end")) {
      if (open.size() == 1) {
        throw new WrongUsageException(OPTION + " has an {end} without its {range}");
      }
      open.pop();
    } else if (inside.startsWith("range ")) {
      if (open.size() > RANGES_MAX) {
        throw new WrongUsageException(OPTION + " has more than " + RANGES_MAX + " nested ranges");
      }
      List<Part> repeated = new ArrayList<>();
      open.element().add(new Range(path(inside.substring("range ".length())), repeated));
      open.push(repeated);
    } else if (inside.startsWith("\"") || inside.startsWith("'")) {
      open.element().add(new Text(literal(inside)));
    } else {
      open.element().add(new Values(path(inside)));
    }
  }

  private static JsonPath path(String text) {
    return new JsonPathParser(OPTION, text).parse();
  }

  private static String literal(String quoted) {
    int last = quoted.length() - 1;
    if (last == 0 || quoted.charAt(last) != quoted.charAt(0)) {
      throw new WrongUsageException(OPTION + " has a text without its closing quote: " + quoted);
    }
    StringBuilder text = new StringBuilder();
    for (int at = 1; at < last; at++) {
      char one = quoted.charAt(at);
      if (one == '\\' && at + 1 < last) {
        at++;
        char escaped = quoted.charAt(at);
        text.append(escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped);
      } else {
        text.append(one);
      }
    }
    return text.toString();
  }

  /** Returns the position of the brace that closes one, past braces inside quotes. */
  private static int closing(String text, int brace) {
    char quote = 0;
    for (int at = brace + 1; at < text.length(); at++) {
      char one = text.charAt(at);
      if (one == '\\') {
        at++;
      } else if (quote != 0) {
        quote = one == quote ? 0 : quote;
      } else if (one == '"' || one == '\'') {
        quote = one;
      } else if (one == '}') {
        return at;
      }
    }
    throw new WrongUsageException(
        OPTION + " has a brace that is not closed: " + text.substring(brace));
  }

  String write(JsonNode document) {
    StringBuilder out = new StringBuilder();
    parts.forEach(part -> part.write(document, document, out));
    return out.toString();
  }
}
