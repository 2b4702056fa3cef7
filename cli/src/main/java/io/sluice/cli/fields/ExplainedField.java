// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A field of a kind, with the fields inside it.
 *
 * @param name without brackets; of an annotation or a label its whole name
 * @param list whether the value is a list; the fields inside are then those of its entries
 * @param type type and bounds; empty if unknown
 * @param fallback value without the field; empty if the field has none
 * @param meaning may be empty
 */
record ExplainedField(
    String name,
    boolean list,
    String type,
    String fallback,
    String meaning,
    List<ExplainedField> fields) {
  private static final Pattern SENTENCE_END = Pattern.compile("\\.\\s+(?=[A-Z`])");

  ExplainedField {
    fields = List.copyOf(fields);
  }

  /** Returns the type as users read it; empty if it is unknown. */
  String shownType() {
    if (list && !type.startsWith("list")) {
      return type.isEmpty() ? "list" : "list, " + type;
    }
    return type.isEmpty() && !fields.isEmpty() ? "object" : type;
  }

  boolean required() {
    return fallback.equals("required");
  }

  /** Returns the meaning up to its first full stop. */
  String firstSentence() {
    return SENTENCE_END.split(meaning, 2)[0];
  }

  /** Returns the path of a field inside this one, by the path of this one, which may be empty. */
  String pathOf(ExplainedField inside, String path) {
    String entries = list ? path + "[]" : path;
    if (inside.name.indexOf('/') >= 0) {
      return entries + "[" + inside.name + "]";
    }
    return entries.isEmpty() ? inside.name : entries + "." + inside.name;
  }

  /** Returns the paths of all fields inside this one that have a name, in order. */
  Stream<String> pathsOf(String wanted, String path) {
    return fields.stream()
        .flatMap(
            field -> {
              String place = pathOf(field, path);
              Stream<String> here =
                  field.name.equalsIgnoreCase(wanted) ? Stream.of(place) : Stream.empty();
              return Stream.concat(here, field.pathsOf(wanted, place));
            });
  }

  ExplainedField withFields(List<ExplainedField> others) {
    return new ExplainedField(name, list, type, fallback, meaning, others);
  }

  /** Returns the field marked as one that manifests do not have. */
  ExplainedField readOnly() {
    return new ExplainedField(name, list, shownType() + ", read-only", fallback, meaning, fields);
  }
}
