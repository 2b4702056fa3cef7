// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.form;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A table with columns that the user names: {@code HEADER:PATH,HEADER:PATH}. */
final class CustomColumns {
  private static final String OPTION = "-o custom-columns";
  private static final int COLUMNS_MAX = 64;
  private static final String NONE = "<none>";

  private final List<Column> columns;

  private CustomColumns(List<Column> columns) {
    this.columns = List.copyOf(columns);
  }

  private record Column(String header, JsonPath path) {
    String cell(JsonNode item) {
      String cell =
          path.find(item, item).stream()
              .map(JsonPath::text)
              .filter(value -> !value.isEmpty())
              .collect(Collectors.joining(","));
      return cell.isEmpty() ? NONE : cell;
    }
  }

  /**
   * Parses the columns.
   *
   * @throws WrongUsageException naming the column that is wrong
   */
  static CustomColumns parse(String text) {
    List<Column> columns = new ArrayList<>();
    for (String written : parts(text)) {
      int colon = written.indexOf(':');
      if (colon < 1 || colon == written.length() - 1) {
        throw new WrongUsageException(
            "%s must be HEADER:PATH,HEADER:PATH such as NAME:.metadata.name, a column is \"%s\""
                .formatted(OPTION, written));
      }
      String path = written.substring(colon + 1).strip();
      boolean braces = path.startsWith("{") && path.endsWith("}");
      String bare = braces ? path.substring(1, path.length() - 1) : path;
      columns.add(
          new Column(written.substring(0, colon), new JsonPathParser(OPTION, bare).parse()));
    }
    if (columns.size() > COLUMNS_MAX) {
      throw new WrongUsageException(
          "%s must have at most %d columns, it has %d"
              .formatted(OPTION, COLUMNS_MAX, columns.size()));
    }
    return new CustomColumns(columns);
  }

  /** Splits at commas outside brackets and quotes. */
  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    char quote = 0;
    int from = 0;
    for (int at = 0; at < text.length(); at++) {
      char one = text.charAt(at);
      if (quote != 0) {
        quote = one == quote ? 0 : quote;
      } else if (depth > 0 && (one == '"' || one == '\'')) {
        quote = one;
      } else if (one == '[') {
        depth++;
      } else if (one == ']') {
        depth--;
      } else if (one == ',' && depth == 0) {
        parts.add(text.substring(from, at));
        from = at + 1;
      }
    }
    parts.add(text.substring(from));
    return parts;
  }

  /** Returns one line for the headers and one for each item. */
  List<String> lines(List<JsonNode> items) {
    TextTable table = new TextTable(columns.stream().map(Column::header).toArray(String[]::new));
    for (JsonNode item : items) {
      table.add(columns.stream().map(column -> column.cell(item)).toArray(String[]::new));
    }
    return table.lines();
  }
}
