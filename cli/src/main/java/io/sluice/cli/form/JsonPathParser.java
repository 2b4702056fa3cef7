// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.form;

import io.sluice.cli.options.WrongUsageException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses a path such as {@code .items[*].metadata.name}, by recursive descent.
 *
 * <pre>
 * path   = ["$" | "@"] { "." name | ".*" | "[" inside "]" }
 * inside = "*" | number | [number] ":" [number] | quoted | "?(" path [("==" | "!=") literal] ")"
 * </pre>
 *
 * <p>A name ends at one of <code>. [ ] ( ) { } = ! &lt; &gt;</code>, a comma or a space; a
 * backslash keeps such a character. The first name may lack its dot.
 */
final class JsonPathParser {
  private static final String NAME_ENDS = ".[](){}=!<>, \t\n";
  private static final int FILTERS_MAX = 8;

  private final String option;
  private final String text;
  private int at;
  private int filters;

  /**
   * Creates a parser of one path.
   *
   * @param option the option for messages, such as {@code -o jsonpath}
   */
  JsonPathParser(String option, String text) {
    this.option = option;
    this.text = text;
  }

  /**
   * Parses the whole text.
   *
   * @throws WrongUsageException naming the place of the first part that is not understood
   */
  JsonPath parse() {
    spaces();
    JsonPath path = path();
    spaces();
    if (at < text.length()) {
      throw wrong("cannot be followed by \"" + text.substring(at) + "\"");
    }
    return path;
  }

  private JsonPath path() {
    boolean absolute = take("$");
    boolean begun = absolute || take("@");
    List<JsonPath.Step> steps = new ArrayList<>();
    if (!begun && at < text.length() && NAME_ENDS.indexOf(text.charAt(at)) < 0) {
      steps.add(new JsonPath.Field(name()));
    }
    while (at < text.length()) {
      if (take("..")) {
        throw wrong("has \"..\" (descendants), which is not supported: write the whole path");
      } else if (take(".*")) {
        steps.add(new JsonPath.All());
      } else if (take(".")) {
        // As in kubectl, a single dot is the current value.
        if (at < text.length() && NAME_ENDS.indexOf(text.charAt(at)) < 0) {
          steps.add(new JsonPath.Field(name()));
        } else if (at < text.length() && text.charAt(at) != '[' && text.charAt(at) != ')') {
          throw wrong("has no field name after \".\"");
        }
      } else if (take("[")) {
        steps.add(inside());
      } else {
        break;
      }
    }
    return new JsonPath(absolute, steps);
  }

  private JsonPath.Step inside() {
    JsonPath.Step step;
    if (take("*")) {
      step = new JsonPath.All();
    } else if (take("?(")) {
      step = filter();
    } else if (at < text.length() && (text.charAt(at) == '\'' || text.charAt(at) == '"')) {
      step = new JsonPath.Field(quoted());
    } else {
      step = indexOrPart();
    }
    if (at < text.length() && text.charAt(at) == ',') {
      throw wrong("has a union \"[a,b]\", which is not supported: write two paths");
    }
    if (!take("]")) {
      throw wrong("needs \"]\"");
    }
    return step;
  }

  private JsonPath.Step indexOrPart() {
    Integer from = number();
    if (!take(":")) {
      if (from == null) {
        throw wrong("needs an index, *, a quoted name or ?(...) after \"[\"");
      }
      return new JsonPath.Index(from);
    }
    Integer to = number();
    if (take(":")) {
      throw wrong("has a step \"[a:b:c]\", which is not supported");
    }
    return new JsonPath.Part(from, to);
  }

  private JsonPath.Step filter() {
    if (++filters > FILTERS_MAX) {
      throw wrong("has more than " + FILTERS_MAX + " filters");
    }
    spaces();
    JsonPath path = path();
    spaces();
    boolean equal = take("==");
    boolean compares = equal || take("!=");
    String literal = null;
    if (compares) {
      spaces();
      literal = literal();
      spaces();
    }
    if (!take(")")) {
      throw wrong("needs \")\": a filter is ?(@.path), ?(@.path==\"text\") or ?(@.path!=\"text\")");
    }
    return new JsonPath.Filter(path, equal, literal);
  }

  private String literal() {
    if (at < text.length() && (text.charAt(at) == '\'' || text.charAt(at) == '"')) {
      return quoted();
    }
    int from = at;
    while (at < text.length() && ") \t\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(from, at);
  }

  /** Reads a name; a backslash takes the next character as it is. */
  private String name() {
    StringBuilder name = new StringBuilder();
    while (at < text.length() && NAME_ENDS.indexOf(text.charAt(at)) < 0) {
      if (text.charAt(at) == '\\' && at + 1 < text.length()) {
        at++;
      }
      name.append(text.charAt(at));
      at++;
    }
    return name.toString();
  }

  private String quoted() {
    char quote = text.charAt(at);
    StringBuilder inside = new StringBuilder();
    for (at++; at < text.length() && text.charAt(at) != quote; at++) {
      if (text.charAt(at) == '\\' && at + 1 < text.length()) {
        at++;
      }
      inside.append(text.charAt(at));
    }
    if (!take(Character.toString(quote))) {
      throw wrong("has a text without its closing " + quote);
    }
    return inside.toString();
  }

  /** Reads a whole number; null if there is none. */
  private @Nullable Integer number() {
    int from = at;
    take("-");
    while (at < text.length() && Character.isDigit(text.charAt(at))) {
      at++;
    }
    if (from == at) {
      return null;
    }
    try {
      return Integer.valueOf(text.substring(from, at));
    } catch (NumberFormatException notANumber) {
      throw wrong("has the index \"" + text.substring(from, at) + "\", which is not a number");
    }
  }

  private boolean take(String expected) {
    boolean there = text.startsWith(expected, at);
    at += there ? expected.length() : 0;
    return there;
  }

  private void spaces() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private WrongUsageException wrong(String what) {
    return new WrongUsageException(
        "%s: the path \"%s\" %s (at character %d)".formatted(option, text, what, at + 1));
  }
}
