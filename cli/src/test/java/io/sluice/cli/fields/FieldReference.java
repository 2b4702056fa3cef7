// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the fields of all kinds from the tables of docs/reference/manifests.
 *
 * <p>A table describes fields if the head of its first column ends with {@code of `PATH`}, such as
 * {@code field of `Job.spec.array`}; {@code of `metadata`} is for all kinds, or for those of the
 * column {@code on}. The first cell of a row has the names of fields, relative to the path. The
 * other columns are {@code type}, {@code default} and {@code meaning}. A type {@code as of
 * `Job.spec`} takes type, default and meaning from the fields of the same names there, with the
 * fields inside them.
 */
final class FieldReference {
  private static final Pattern HEAD =
      Pattern.compile(".*of `((?:[A-Z]\\w*|metadata)(?:[.\\[][^`]*)?)`");
  private static final Pattern KIND_LINK = Pattern.compile("\\[([A-Za-z]+)\\]\\(([^)]+)\\)");
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final Pattern SAME = Pattern.compile("as of `([A-Z][^`]*)`");
  private static final String OVERVIEW = "README.md";
  private static final String METADATA = "metadata";

  private final Map<String, Kind> kinds = new LinkedHashMap<>();

  private FieldReference() {}

  /** A row without its name. */
  private record Row(String type, String fallback, String meaning, boolean general) {
    String line(String path) {
      return String.join("\t", "field", path, type, fallback, meaning) + "\n";
    }

    /** This row, of a field that is also described elsewhere. */
    Row after(Row there) {
      String stop = there.meaning.endsWith(".") ? " " : ". ";
      String more =
          meaning.isEmpty()
              ? ""
              : stop + meaning.substring(0, 1).toUpperCase(Locale.ROOT) + meaning.substring(1);
      return new Row(
          there.type, fallback.isEmpty() ? there.fallback : fallback, there.meaning + more, false);
    }
  }

  /** A kind with its rows by path. */
  private record Kind(String line, Map<String, Row> rows) {
    void put(String path, Row row) {
      Row before = rows.put(path, row);
      if (before != null && !before.general) {
        throw new AssertionError("described twice: " + path + " of " + line);
      }
    }
  }

  /** A table, with the cells of its head and of its rows. */
  private record Table(String page, List<String> head, List<List<String>> rows) {
    /** The cell of a column as plain text; empty if there is no such column. */
    String cell(List<String> row, String... words) {
      for (int at = 1; at < head.size(); at++) {
        for (String word : words) {
          if (head.get(at).startsWith(word)) {
            return plain(row.get(at));
          }
        }
      }
      return "";
    }
  }

  /** The lines of the resource about the kinds of manifests. */
  static String of(Path folder) throws IOException {
    FieldReference reference = new FieldReference();
    List<String> pages = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      files.map(file -> file.getFileName().toString()).sorted().forEach(pages::add);
    }
    // The others need the kinds that it lists.
    pages.remove(OVERVIEW);
    pages.add(0, OVERVIEW);
    for (String page : pages) {
      for (Table table : tables(page, Files.readAllLines(folder.resolve(page)))) {
        reference.add(table);
      }
    }
    return reference.text();
  }

  private void add(Table table) {
    String first = table.head().get(0);
    Matcher head = HEAD.matcher(first);
    if (table.page().equals(OVERVIEW) && first.equals("kind")) {
      table.rows().forEach(row -> addKind(table, row));
    } else if (head.matches()) {
      for (List<String> row : table.rows()) {
        addRow(table, head.group(1), row);
      }
    } else if (first.startsWith("field")) {
      throw new AssertionError(table.page() + " has a table of fields of no kind: " + first);
    }
  }

  private void addKind(Table table, List<String> row) {
    Matcher link = KIND_LINK.matcher(row.get(0));
    if (link.matches()) {
      String name = link.group(1);
      String version = table.cell(row, "`apiVersion`").replace("`", "");
      String page = "docs/reference/manifests/" + link.group(2);
      String line = String.join("\t", "kind", name, version, page, table.cell(row, "meaning"));
      Kind kind = new Kind(line, new LinkedHashMap<>());
      kind.put("apiVersion", new Row(version, "required", "version of the schema", false));
      kind.put("kind", new Row(name, "required", "kind of the object", false));
      kinds.put(name, kind);
    }
  }

  private void addRow(Table table, String base, List<String> row) {
    if (row.size() != table.head().size()) {
      throw new AssertionError(table.page() + " has a row of another length: " + row);
    }
    boolean general = base.equals(METADATA);
    Row read =
        new Row(
            table.cell(row, "type", "bounds"),
            table.cell(row, "default"),
            table.cell(row, "meaning"),
            general);
    String names = row.get(0);
    if (general) {
      String on = table.cell(row, "on");
      String above =
          names.endsWith("(annotation)")
              ? ".annotations"
              : names.endsWith("(label)") ? ".labels" : "";
      for (String kind : on.isEmpty() ? List.copyOf(kinds.keySet()) : List.of(on.split(", ", -1))) {
        names(names).forEach(name -> kind(kind).put(path(METADATA + above, name), read));
      }
    } else if (names.equals("(the object)")) {
      kind(kindOf(base)).put(below(base), read);
    } else {
      names(names).forEach(name -> kind(kindOf(base)).put(path(below(base), name), read));
    }
  }

  private Kind kind(String name) {
    Kind kind = kinds.get(name);
    if (kind == null) {
      throw new AssertionError("the overview does not list the kind " + name);
    }
    return kind;
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (Kind kind : kinds.values()) {
      text.append(kind.line()).append('\n');
      Map<String, Row> rows = new LinkedHashMap<>();
      kind.rows().forEach((path, row) -> resolve(path, row, rows));
      rows.forEach((path, row) -> text.append(row.line(path)));
    }
    return text.toString();
  }

  /** Adds a row, or what a row refers to. */
  private void resolve(String path, Row row, Map<String, Row> into) {
    Matcher same = SAME.matcher(row.type());
    if (!same.matches()) {
      into.put(path, row);
      return;
    }
    String name = path.substring(path.lastIndexOf('.') + 1);
    String source = path(below(same.group(1)), name);
    Map<String, Row> there = kind(kindOf(same.group(1))).rows();
    Row found = there.containsKey(source) ? there.get(source) : there.get(source + "[]");
    if (found == null || SAME.matcher(found.type()).matches()) {
      throw new AssertionError(path + " is " + row.type() + ", which has no such field");
    }
    into.put(path, row.after(found));
    there.forEach(
        (other, inside) -> {
          boolean below = other.startsWith(source + ".") || other.startsWith(source + "[");
          if (below && !other.equals(source + "[]")) {
            into.put(path + other.substring(source.length()), inside);
          }
        });
  }

  private static String kindOf(String path) {
    return path.split("[.\\[]", 2)[0];
  }

  private static String below(String path) {
    String rest = path.substring(kindOf(path).length());
    return rest.startsWith(".") ? rest.substring(1) : rest;
  }

  private static String path(String base, String name) {
    if (name.indexOf('/') >= 0 && name.indexOf('[') < 0) {
      return base + "[" + name + "]";
    }
    return base.isEmpty() ? name : base + "." + name;
  }

  private static List<String> names(String cell) {
    return NAME.matcher(cell).results().map(result -> result.group(1)).toList();
  }

  private static String plain(String cell) {
    return LINK.matcher(cell).replaceAll("$1").replace("\\|", "|");
  }

  private static List<Table> tables(String page, List<String> lines) {
    List<Table> tables = new ArrayList<>();
    boolean code = false;
    Table table = null;
    for (int at = 0; at < lines.size(); at++) {
      String line = lines.get(at);
      code ^= line.startsWith("```");
      if (code || !line.startsWith("|")) {
        table = null;
      } else if (table != null) {
        table.rows().add(cells(line));
      } else if (lines.get(at + 1).startsWith("|---")) {
        table = new Table(page, cells(line), new ArrayList<>());
        tables.add(table);
        at++;
      }
    }
    return tables;
  }

  private static List<String> cells(String line) {
    String inside = line.strip();
    return Stream.of(inside.substring(1, inside.length() - 1).split("(?<!\\\\)\\|", -1))
        .map(String::strip)
        .toList();
  }
}
