// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import io.sluice.cli.options.Kinds;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All kinds with their fields, from the resource {@code fields.tsv}. A test generates the resource
 * from the pages of the documentation and from the records of answers.
 *
 * <p>A line is one of these, with tabs between its parts:
 *
 * <ul>
 *   <li>{@code kind}, name, versions, page, meaning
 *   <li>{@code field}, path, type, default, meaning: a field of the kind before it
 *   <li>{@code record}, name, class, meaning
 * </ul>
 */
final class FieldCatalogue {
  private static final String RESOURCE = "fields.tsv";
  private static final String ANSWERS_PAGE = "docs/reference/rest.md";

  private final List<ExplainedKind> kinds;

  private FieldCatalogue(List<ExplainedKind> kinds) {
    this.kinds = List.copyOf(kinds);
  }

  /** Reads the resource. */
  static FieldCatalogue read() {
    try (InputStream in = FieldCatalogue.class.getResourceAsStream(RESOURCE)) {
      byte[] text = Objects.requireNonNull(in, RESOURCE).readAllBytes();
      return of(new String(text, StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Parses the text of a resource. */
  static FieldCatalogue of(String text) {
    List<ExplainedKind> kinds = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    List<String> kind = List.of();
    for (String line : text.lines().toList()) {
      List<String> parts = List.of(line.split("\t", -1));
      switch (parts.get(0)) {
        case "kind" -> {
          add(kind, rows, kinds);
          kind = parts;
          rows.clear();
        }
        case "field" -> rows.add(parts.subList(1, parts.size()));
        case "record" -> {
          add(kind, rows, kinds);
          kind = List.of();
          kinds.add(
              new ExplainedKind(
                  parts.get(1), "", ANSWERS_PAGE, parts.get(3), parts.get(2), List.of()));
        }
        default -> {
          // A comment.
        }
      }
    }
    add(kind, rows, kinds);
    return new FieldCatalogue(kinds);
  }

  /** Adds a kind of manifest whose rows are complete; an empty line is none. */
  private static void add(List<String> line, List<List<String>> rows, List<ExplainedKind> kinds) {
    if (!line.isEmpty()) {
      kinds.add(new ExplainedKind(line.get(1), line.get(2), line.get(3), line.get(4), "", rows));
    }
  }

  /** Returns the kinds of manifests, then the records of answers. */
  List<ExplainedKind> kinds() {
    return kinds;
  }

  /** Finds a kind by its name, plural or short name, in any case; null: there is none. */
  @Nullable ExplainedKind find(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    ExplainedKind found = called(lower);
    if (found != null) {
      return found;
    }
    for (Kinds listed : Kinds.values()) {
      if (listed.isCalled(lower)) {
        return called(listed.singular());
      }
    }
    return null;
  }

  private @Nullable ExplainedKind called(String word) {
    for (ExplainedKind kind : kinds) {
      if (kind.isCalled(word)) {
        return kind;
      }
    }
    return null;
  }
}
