// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import java.util.List;
import java.util.Locale;

/**
 * A kind of manifest, or a record of an answer.
 *
 * @param version versions of the schema; empty for a record
 * @param page path of the page in the repository
 * @param record name of the class of a record; empty for a kind of manifest
 * @param rows fields of a manifest, each as path, type, default and meaning
 */
record ExplainedKind(
    String name,
    String version,
    String page,
    String meaning,
    String record,
    List<List<String>> rows) {
  private static final String VIEW = "view";

  ExplainedKind {
    rows = List.copyOf(rows);
  }

  boolean ofManifests() {
    return record.isEmpty();
  }

  /** Whether a lower-case word is the name or its plural; {@code JobView} is also the job. */
  boolean isCalled(String word) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean view = lower.endsWith(VIEW) && !ofManifests();
    return isOneOrMore(word, lower)
        || (view && isOneOrMore(word, lower.substring(0, lower.length() - VIEW.length())));
  }

  private static boolean isOneOrMore(String word, String singular) {
    return word.equals(singular)
        || word.equals(singular + "s")
        || word.equals(singular + "es")
        || (singular.endsWith("y")
            && word.equals(singular.substring(0, singular.length() - 1) + "ies"));
  }

  /** Returns the kind as a field that holds its fields; a record is read by reflection. */
  ExplainedField root() {
    List<ExplainedField> fields;
    if (ofManifests()) {
      FieldTree tree = new FieldTree();
      rows.forEach(row -> tree.add(row.get(0), row.get(1), row.get(2), row.get(3)));
      fields = AnswerFields.added(name, tree.fields());
    } else {
      fields = RecordFields.of(record);
    }
    return new ExplainedField(name, false, "object", "", meaning, fields);
  }
}
