// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.manifests.ConfigurationReader;
import io.sluice.manifests.FaultsReader;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.field.ReadingTerms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What pages show is right: their manifests can be read, and their commands and options exist. */
class PagesTest {
  private static final Pattern KIND = Pattern.compile("(?m)^kind: (\\w+)$");
  private static final Pattern COMMAND = Pattern.compile("\\./sluice((?: [^`|;>)]+)?)");
  private static final Pattern OPTION = Pattern.compile("--?[a-z][a-z-]*");
  private static final Set<String> OF_THE_SERVER = Set.of("up", "restore");

  private static final CommandLine COMMANDS = Main.commandLine();

  /** A block of code of a page. */
  private record Block(Path page, String language, String text) {}

  @Test
  void manifestsOfPagesCanBeRead() throws IOException {
    Set<String> wrong = new TreeSet<>();
    int read = 0;
    for (Block block : blocks()) {
      Matcher kind = KIND.matcher(block.text());
      if (!block.language().equals("yaml")) {
        continue;
      }
      assertThat(kind.find()).as(block.page() + ": " + block.text()).isTrue();
      try {
        read(kind.group(1), block.text());
        read++;
      } catch (InvalidManifestException invalid) {
        wrong.add(block.page().getFileName() + ": " + invalid.violations());
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(read).isGreaterThan(20);
  }

  @Test
  void aWrongManifestIsFound() {
    String text = "apiVersion: sluice.io/v1\nkind: Job\nspec: {queue: main, comand: [x]}\n";
    assertThatThrownBy(() -> read("Job", text)).isInstanceOf(InvalidManifestException.class);
  }

  private static void read(String kind, String text) {
    switch (kind) {
      case "Faults" -> FaultsReader.read(text);
      case "Configuration", "AcceleratorCatalogue" -> ConfigurationReader.read(text);
      default ->
          ManifestReader.readPlacedWithForeign(
              text.getBytes(StandardCharsets.UTF_8), ReadingTerms.DEFAULT);
    }
  }

  @Test
  void commandsOfPagesExist() throws IOException {
    Set<String> unknown = new TreeSet<>();
    int found = 0;
    for (Path page : pages()) {
      for (String line : Files.readAllLines(page)) {
        for (Matcher command = COMMAND.matcher(line); command.find(); found++) {
          String fault = fault(command.group(1).strip());
          if (!fault.isEmpty()) {
            unknown.add(page.getFileName() + ": " + command.group() + ": " + fault);
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(found).isGreaterThan(100);
  }

  @Test
  void aWrongCommandIsFound() {
    assertThat(fault("get jobs -n research")).isEmpty();
    assertThat(fault("gett jobs")).isEqualTo("no command gett");
    assertThat(fault("run start --prameter x=1")).isEqualTo("no option --prameter");
  }

  /** What is wrong with a command line; empty if nothing is. */
  private static String fault(String line) {
    String[] words = line.split("\\s+", -1);
    CommandLine command = COMMANDS.getSubcommands().get(words[0]);
    if (command == null) {
      boolean unknown = words[0].matches("[a-z]+") && !OF_THE_SERVER.contains(words[0]);
      return unknown ? "no command " + words[0] : "";
    }
    for (String word : List.of(words).subList(1, words.length)) {
      if (word.equals("--")) {
        return "";
      }
      if (command.getSubcommands().containsKey(word)) {
        command = command.getSubcommands().get(word);
      } else if (OPTION.matcher(word).matches() && !knows(command.getCommandSpec(), word)) {
        return "no option " + word;
      }
    }
    return "";
  }

  private static boolean knows(CommandSpec spec, String option) {
    return spec.findOption(option) != null;
  }

  private static List<Block> blocks() throws IOException {
    List<Block> blocks = new ArrayList<>();
    for (Path page : pages()) {
      String language = "";
      StringBuilder text = new StringBuilder();
      int indent = 0;
      boolean inside = false;
      for (String line : Files.readAllLines(page)) {
        if (line.strip().startsWith("```")) {
          if (inside) {
            blocks.add(new Block(page, language, text.toString()));
          }
          inside = !inside;
          language = line.strip().substring(3);
          indent = line.indexOf('`');
          text.setLength(0);
        } else if (inside) {
          text.append(line.length() < indent ? "" : line.substring(indent)).append('\n');
        }
      }
    }
    return blocks;
  }

  private static List<Path> pages() throws IOException {
    Path root = Checkout.root();
    List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md")));
    try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      docs.filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !file.toString().contains("/adr/"))
          .forEach(pages::add);
    }
    return pages;
  }
}
