// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import io.sluice.cli.options.WrongUsageException;
import io.sluice.manifests.field.NearestWord;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A field, or a whole kind, that a user named.
 *
 * @param path from the kind, such as {@code spec.podSets[].name}; empty for the kind
 */
record FoundField(ExplainedKind kind, String path, ExplainedField field) {
  private static final int SUGGESTIONS_MAX = 3;
  private static final Pattern INDEX = Pattern.compile("\\[(\\d*|\\*)\\]");
  private static final Pattern KEY = Pattern.compile("\\[['\"]?([^\\]'\"]+)['\"]?\\]");

  /**
   * Finds a field by what a user wrote, such as {@code job.spec.queue}. Brackets of lists may be
   * left out, contain an index, or be empty.
   *
   * @throws WrongUsageException if there is no such kind or field, with similar names
   */
  static FoundField find(FieldCatalogue catalogue, String written) {
    String dotted = KEY.matcher(INDEX.matcher(written).replaceAll("")).replaceAll(".$1");
    int dot = dotted.indexOf('.');
    String word = dot < 0 ? dotted : dotted.substring(0, dot);
    ExplainedKind kind = catalogue.find(word);
    if (kind == null) {
      throw new WrongUsageException("there is no kind " + word + similarKind(catalogue, word));
    }
    FoundField found = new FoundField(kind, "", kind.root());
    String rest = dot < 0 ? "" : dotted.substring(dot + 1);
    while (!rest.isEmpty()) {
      ExplainedField next = found.next(rest);
      if (next == null) {
        throw found.unknown(rest);
      }
      rest = rest.substring(Math.min(rest.length(), next.name().length() + 1));
      found = new FoundField(kind, found.field.pathOf(next, found.path), next);
    }
    return found;
  }

  /** Returns the field inside this one with which a path begins; names of keys contain dots. */
  private @Nullable ExplainedField next(String path) {
    ExplainedField longest = null;
    for (ExplainedField inside : field.fields()) {
      boolean begins = path.equals(inside.name()) || path.startsWith(inside.name() + ".");
      if (begins && (longest == null || longest.name().length() < inside.name().length())) {
        longest = inside;
      }
    }
    return longest;
  }

  private WrongUsageException unknown(String rest) {
    int dot = rest.indexOf('.');
    String word = dot < 0 ? rest : rest.substring(0, dot);
    String place = path.isEmpty() ? kind.name() : kind.name() + "." + path;
    List<String> names = field.fields().stream().map(ExplainedField::name).toList();
    if (names.isEmpty()) {
      return new WrongUsageException("no fields of " + place + " are known, so not " + word);
    }
    String similar = NearestWord.suggestion(word, names);
    if (similar.isEmpty()) {
      List<String> elsewhere =
          kind.root().pathsOf(word, "").distinct().limit(SUGGESTIONS_MAX).toList();
      similar =
          elsewhere.isEmpty()
              ? ": one of " + String.join(", ", names)
              : "; did you mean " + String.join(" or ", elsewhere) + "?";
    }
    return new WrongUsageException(place + " has no field " + word + similar);
  }

  private static String similarKind(FieldCatalogue catalogue, String word) {
    List<String> names =
        catalogue.kinds().stream().map(kind -> kind.name().toLowerCase(Locale.ROOT)).toList();
    String similar = NearestWord.suggestion(word.toLowerCase(Locale.ROOT), names);
    return similar.isEmpty() ? "; sluice explain-field lists the kinds" : similar;
  }
}
