// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands of a Markdown page and what the page says that they print: the {@code console}
 * blocks, in which a line that begins with <code>$ </code> is a command.
 */
record ConsolePage(List<Line> lines) {
  private static final String DATA = "export SLUICE_DATA=";

  /** A command, and the lines that follow it. */
  record Line(String command, List<String> output) {}

  /** The commands of a whole page. */
  static ConsolePage read(Path page) throws IOException {
    return read(page, "");
  }

  /**
   * The commands of a section.
   *
   * @param heading of the section, as {@code ## Five minutes}; empty: the whole page
   */
  static ConsolePage read(Path page, String heading) throws IOException {
    List<Line> lines = new ArrayList<>();
    boolean inSection = heading.isEmpty();
    boolean inBlock = false;
    for (String text : Files.readAllLines(page)) {
      if (text.startsWith("## ") && !heading.isEmpty()) {
        inSection = text.equals(heading);
      } else if (inSection && text.startsWith("```")) {
        inBlock = text.equals("```console");
      } else if (inSection && inBlock && text.startsWith("$ ")) {
        lines.add(new Line(text.substring(2), new ArrayList<>()));
      } else if (inSection && inBlock) {
        lines.get(lines.size() - 1).output().add(text);
      }
    }
    return new ConsolePage(lines);
  }

  /** The same page with another program in the commands that begin with it. */
  ConsolePage replacing(String begin, String other) {
    return new ConsolePage(
        lines.stream()
            .map(
                line ->
                    line.command().startsWith(begin)
                        ? new Line(other + line.command().substring(begin.length()), line.output())
                        : line)
            .toList());
  }

  /** The data directory that the page names for its server. */
  Path data() {
    return lines.stream()
        .map(Line::command)
        .filter(command -> command.startsWith(DATA))
        .map(command -> Path.of(command.substring(DATA.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("the page has no line " + DATA));
  }
}
