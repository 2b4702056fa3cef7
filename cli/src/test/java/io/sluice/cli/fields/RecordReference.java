// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.fields;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lists the records of rest-model with the first sentence of their Javadoc. */
final class RecordReference {
  private static final Pattern TAG = Pattern.compile("\\{@\\w+ ([^}]*)\\}");
  private static final Pattern SENTENCE_END = Pattern.compile("\\.(\\s|$)");
  private static final String OPENS = "/**";

  private RecordReference() {}

  /** The lines of the resource about records that no other record declares. */
  static String of(Path sources) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(sources)) {
      files = all.filter(file -> file.toString().endsWith(".java")).toList();
    }
    StringBuilder text = new StringBuilder();
    for (Path file : sorted(files)) {
      String name = name(file);
      String source = Files.readString(file);
      // Generic records are pages and lists: their fields are those of the records that have them.
      int at = source.indexOf("\npublic record " + name + "(");
      if (at >= 0) {
        String type =
            sources.relativize(file).toString().replace(".java", "").replaceAll("[/\\\\]", ".");
        text.append(String.join("\t", "record", name, type, meaning(source, at))).append('\n');
      }
    }
    return text.toString();
  }

  private static List<Path> sorted(List<Path> files) {
    return files.stream().sorted(Comparator.comparing(RecordReference::name)).toList();
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static String meaning(String source, int record) {
    int opens = source.lastIndexOf(OPENS, record) + OPENS.length();
    String comment =
        source
            .substring(opens, source.lastIndexOf("*/", record))
            .lines()
            .map(line -> line.strip().replaceFirst("^\\*\\s?", "").strip())
            .collect(Collectors.joining(" "))
            .strip();
    return SENTENCE_END.split(TAG.matcher(comment).replaceAll("`$1`"), 2)[0];
  }
}
