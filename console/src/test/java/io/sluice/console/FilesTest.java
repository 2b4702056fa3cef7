// SPDX-License-Identifier: Apache-2.0
package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files of the console: their list, the libraries among them, and what pages may contain. */
class FilesTest {
  /** As they are packaged: with the libraries that Maven unpacks. */
  private static final Path ROOT = Path.of("target/classes/io/sluice/console");

  private static final Path SOURCES = Path.of("src/main/resources/io/sluice/console");

  /** Those that no page loads. */
  private static final Set<String> UNLISTED =
      Set.of("files.txt", "index.html", "lib/vendored.json");

  private static Set<String> filesOf(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void theListNamesEachFile() throws Exception {
    Set<String> there = filesOf(ROOT);
    there.removeAll(UNLISTED);
    List<String> listed = Files.readAllLines(ROOT.resolve("files.txt"));
    assertThat(listed).hasSizeGreaterThan(20).containsExactlyInAnyOrderElementsOf(there);
  }

  @Test
  void vendoredFilesAreThoseOfTheirPackages() throws Exception {
    JsonNode vendored = new ObjectMapper().readTree(SOURCES.resolve("lib/vendored.json").toFile());
    Set<String> named = new TreeSet<>();
    for (JsonNode library : vendored.path("packages")) {
      assertThat(library.path("licence").asText()).isIn("MIT", "Apache-2.0");
      assertThat(library.path("version").asText()).matches("\\d+\\.\\d+\\.\\d+");
      for (Map.Entry<String, JsonNode> file : library.path("files").properties()) {
        byte[] bytes = Files.readAllBytes(SOURCES.resolve("lib").resolve(file.getKey()));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
        assertThat(HexFormat.of().formatHex(digest))
            .as(file.getKey())
            .isEqualTo(file.getValue().asText());
        named.add(file.getKey());
      }
    }
    Set<String> there = filesOf(SOURCES.resolve("lib"));
    there.removeIf(file -> !file.endsWith(".js"));
    assertThat(named).isEqualTo(there);
    for (String library : List.of("dagre", "htm", "preact", "signals", "uplot")) {
      assertThat(ROOT.resolve("lib").resolve(library).resolve("LICENSE")).isNotEmptyFile();
    }
  }

  /** Scripts load by path or by a name of the import map; a worker has no import map. */
  @Test
  void importsNameFilesThatAreThere() throws Exception {
    String page = Files.readString(SOURCES.resolve("index.html"));
    Pattern imported =
        Pattern.compile(
            "^(?:import|export) (?:[^;\"]*? from )?\"([^\"]+)\"|import\\(\"([^\"]+)\"\\)",
            Pattern.MULTILINE);
    for (String name : filesOf(SOURCES)) {
      if (!name.endsWith(".js") || name.startsWith("lib/")) {
        continue;
      }
      Matcher imports = imported.matcher(Files.readString(SOURCES.resolve(name)));
      while (imports.find()) {
        String target = imports.group(1) == null ? imports.group(2) : imports.group(1);
        if (target.startsWith(".")) {
          assertThat(ROOT.resolve(name).resolveSibling(target).normalize())
              .as(name + " imports " + target)
              .isRegularFile();
        } else {
          assertThat(page).as(name + " imports " + target).contains("\"" + target + "\":");
          assertThat(name).isNotEqualTo("events-worker.js");
        }
      }
    }
  }

  /** With these, a text of a user could become markup or a script. */
  @Test
  void scriptsWriteNoMarkup() throws Exception {
    Pattern markup =
        Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|dangerouslySet|\\beval\\(|new Function");
    for (String name : filesOf(SOURCES)) {
      if (name.endsWith(".js") && !name.startsWith("lib/")) {
        assertThat(markup.matcher(Files.readString(SOURCES.resolve(name))).find())
            .as(name)
            .isFalse();
      }
    }
  }
}
