// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import io.sluice.cli.output.TextTable;
import java.util.ArrayList;
import java.util.List;

/** Formats a field for people, as {@code kubectl explain} does. */
final class FieldPage {
  private static final int WIDTH = 80;
  private static final int TYPE_LENGTH_MAX = 60;
  private static final String INDENT = "  ";

  private final List<String> lines = new ArrayList<>();

  private FieldPage() {}

  /** Returns the lines about a field; recursive: with all fields inside it, as a tree. */
  static List<String> of(FoundField found, boolean recursive) {
    FieldPage page = new FieldPage();
    page.head(found);
    ExplainedField field = found.field();
    if (!field.meaning().isEmpty()) {
      page.lines.add("");
      page.lines.add("MEANING:");
      page.wrap(field.meaning(), INDENT);
    }
    if (!field.fields().isEmpty()) {
      page.lines.add("");
      page.lines.add("FIELDS:");
      if (recursive) {
        page.tree(field.fields(), INDENT);
      } else {
        page.list(field.fields());
      }
    }
    return page.lines;
  }

  /** Returns a table of all kinds. */
  static List<String> kinds(List<ExplainedKind> kinds) {
    TextTable manifests = new TextTable("KIND", "VERSION", "MEANING");
    TextTable answers = new TextTable("ANSWER", "MEANING");
    for (ExplainedKind kind : kinds) {
      if (kind.ofManifests()) {
        manifests.add(kind.name(), kind.version(), kind.meaning());
      } else {
        answers.add(kind.name(), kind.meaning());
      }
    }
    List<String> lines = new ArrayList<>(manifests.lines());
    lines.add("");
    lines.addAll(answers.lines());
    return lines;
  }

  private void head(FoundField found) {
    ExplainedKind kind = found.kind();
    head("KIND", kind.name());
    head("VERSION", kind.version());
    if (!found.path().isEmpty()) {
      head("FIELD", found.path());
      head("TYPE", found.field().shownType());
      head("DEFAULT", found.field().fallback());
    }
    head("PAGE", kind.page());
  }

  private void head(String what, String value) {
    if (!value.isEmpty()) {
      lines.add("%-10s%s".formatted(what + ":", value));
    }
  }

  private void list(List<ExplainedField> fields) {
    for (ExplainedField field : fields) {
      lines.add(INDENT + line(field));
      wrap(field.firstSentence(), INDENT + INDENT);
    }
  }

  private void tree(List<ExplainedField> fields, String indent) {
    for (ExplainedField field : fields) {
      lines.add(indent + line(field));
      tree(field.fields(), indent + INDENT);
    }
  }

  private static String line(ExplainedField field) {
    String type = field.shownType();
    if (type.length() > TYPE_LENGTH_MAX) {
      type = type.substring(0, TYPE_LENGTH_MAX - 3) + "...";
    }
    return field.name()
        + (type.isEmpty() ? "" : " <" + type + ">")
        + (field.required() ? " -required-" : "");
  }

  /** Breaks a text at spaces; a word that is longer than a line has a line of its own. */
  private void wrap(String text, String indent) {
    StringBuilder line = new StringBuilder(indent);
    for (String word : text.split(" ", -1)) {
      if (line.length() > indent.length() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(indent.length());
      }
      if (line.length() > indent.length()) {
        line.append(' ');
      }
      line.append(word);
    }
    if (line.length() > indent.length()) {
      lines.add(line.toString());
    }
  }
}
