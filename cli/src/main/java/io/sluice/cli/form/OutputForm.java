// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.form;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.options.WrongUsageException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of {@code -o}: one of the words that the command formats itself, such as {@code table},
 * or a form that is the same for all objects: {@code json}, {@code yaml}, {@code jsonpath=TEMPLATE}
 * or {@code custom-columns=HEADER:PATH,...}.
 */
public final class OutputForm {
  /** The forms that every command accepts, for the descriptions of {@code -o}. */
  public static final String OF_OBJECTS =
      "json, yaml, jsonpath=TEMPLATE or custom-columns=HEADER:PATH,...";

  private static final String JSON_PATH = "jsonpath=";
  private static final String CUSTOM_COLUMNS = "custom-columns=";

  private final String word;
  private final @Nullable JsonPathTemplate template;
  private final @Nullable CustomColumns columns;

  private OutputForm(
      String word, @Nullable JsonPathTemplate template, @Nullable CustomColumns columns) {
    this.word = word;
    this.template = template;
    this.columns = columns;
  }

  /**
   * Parses the value.
   *
   * @param own the words that the command formats itself
   * @throws WrongUsageException naming what is allowed, or the part of a template that is wrong
   */
  public static OutputForm parse(String written, String... own) {
    if (written.startsWith(JSON_PATH)) {
      String template = written.substring(JSON_PATH.length());
      return new OutputForm("jsonpath", JsonPathTemplate.parse(template), null);
    }
    if (written.startsWith(CUSTOM_COLUMNS)) {
      String columns = written.substring(CUSTOM_COLUMNS.length());
      return new OutputForm("custom-columns", null, CustomColumns.parse(columns));
    }
    List<String> words = List.of(own);
    if (words.contains(written) || written.equals("json") || written.equals("yaml")) {
      return new OutputForm(written, null, null);
    }
    throw new WrongUsageException(
        "-o must be %s, %s, it is %s".formatted(String.join(", ", words), OF_OBJECTS, written));
  }

  /** Whether the form is that word of the command's own. */
  public boolean is(String own) {
    return word.equals(own);
  }

  /** Whether the form is a table of the user's columns. */
  public boolean columns() {
    return columns != null;
  }

  /** Formats one object. */
  public List<String> object(JsonNode object) {
    return columns == null ? document(object) : columns.lines(List.of(object));
  }

  /** Formats a list; JSON, YAML and templates see an object with {@code items}. */
  public List<String> list(List<JsonNode> items) {
    return columns == null ? document(Documents.list(items)) : columns.lines(items);
  }

  private List<String> document(JsonNode document) {
    if (template != null) {
      return template.write(document).lines().toList();
    }
    String text = word.equals("json") ? Documents.json(document) : Documents.yaml(document);
    return text.lines().toList();
  }
}
