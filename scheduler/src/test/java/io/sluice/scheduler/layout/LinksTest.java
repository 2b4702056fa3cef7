// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each link of the documentation leads to a file, and to a heading in it. */
class LinksTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("#+ (.*)");
  private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\p{L}\\p{N}_\\- ]");

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    Set<String> broken = new TreeSet<>();
    List<Path> pages = pages();
    for (Path page : pages) {
      for (String line : text(page)) {
        for (Matcher link = LINK.matcher(line); link.find(); ) {
          if (!leadsSomewhere(page, link.group(1))) {
            broken.add(ROOT.relativize(page) + ": " + link.group(1));
          }
        }
      }
    }
    assertThat(pages).hasSizeGreaterThan(50);
    assertThat(broken).isEmpty();
  }

  @Test
  void aLinkToNowhereIsFound() throws IOException {
    Path page = ROOT.resolve("docs").resolve("README.md");
    assertThat(leadsSomewhere(page, "kueue.md#what-carries-over")).isTrue();
    assertThat(leadsSomewhere(page, "kueue.md#what-carries")).isFalse();
    assertThat(leadsSomewhere(page, "nowhere.md")).isFalse();
  }

  private static boolean leadsSomewhere(Path page, String link) throws IOException {
    if (link.startsWith("https://")) {
      return true;
    }
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? page : page.resolveSibling(file);
    return Files.exists(target) && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> here = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      Stream.concat(here, docs).filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  /** The lines outside blocks of code. */
  private static List<String> text(Path page) throws IOException {
    List<String> text = new ArrayList<>();
    boolean code = false;
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("```")) {
        code = !code;
      } else if (!code) {
        text.add(line);
      }
    }
    return text;
  }

  /** The names of a page's headings in links, as GitHub makes them. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    for (String line : text(page)) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        String words = heading.group(1).toLowerCase(Locale.ROOT);
        anchors.add(NOT_IN_ANCHORS.matcher(words).replaceAll("").replace(' ', '-'));
      }
    }
    return anchors;
  }
}
