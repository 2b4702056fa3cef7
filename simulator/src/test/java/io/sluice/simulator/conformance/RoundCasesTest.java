// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.simulator.conformance.RoundDifference.Decided;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The cases of scheduling that lie beside the checkout, answered by rounds. Each case that a round
 * answers otherwise than Kueue is in the table of {@code docs/conformance.md}, with a rule that
 * explains the difference, and no other case is.
 */
class RoundCasesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path CASES = Path.of("..", "..", "shared", "conformance", "open");
  private static final Path PAGE = Path.of("..", "docs", "conformance.md");
  private static final Pattern ROW =
      Pattern.compile("\\| (schedule[a-z-]*/\\d+)[^|]* \\| ([^|]+) \\|.*");

  @Test
  void tableNamesEachDifferenceWithARuleThatExplainsIt() throws IOException {
    assumeTrue(Files.isDirectory(CASES), "the cases do not lie beside the checkout");
    SortedMap<String, String> rules = table();
    List<String> differing = new ArrayList<>();
    List<String> unexplained = new ArrayList<>();
    for (Path file : files()) {
      Decided decided = decide(file);
      if (!decided.round().equals(decided.kueue())) {
        String number = number(file);
        String listed = rules.getOrDefault(number, "no rule");
        differing.add(number);
        boolean explained =
            Arrays.stream(RoundDifference.values())
                .filter(rule -> rule.title().equals(listed))
                .anyMatch(rule -> rule.explains(decided));
        if (!explained) {
          unexplained.add(
              "%s: the page says %s, and %s would explain it"
                  .formatted(number, listed, explaining(decided)));
        }
      }
    }
    assertThat(unexplained).isEmpty();
    assertThat(rules.keySet()).containsExactlyElementsOf(differing);
    assertThat(Files.readString(PAGE))
        .contains("%d of %d".formatted(files().size() - differing.size(), files().size()));
  }

  private static List<String> explaining(Decided decided) {
    return Arrays.stream(RoundDifference.values())
        .filter(rule -> rule.explains(decided))
        .map(RoundDifference::title)
        .toList();
  }

  private static SortedMap<String, String> table() throws IOException {
    SortedMap<String, String> rules = new TreeMap<>();
    for (String line : Files.readAllLines(PAGE)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rules.put(row.group(1), row.group(2).strip().toLowerCase(Locale.ROOT));
      }
    }
    return rules;
  }

  /** The files of the suites of scheduling, by suite and number. */
  private static List<Path> files() throws IOException {
    try (Stream<Path> walk = Files.walk(CASES)) {
      return walk.filter(file -> file.toString().endsWith(".json"))
          .filter(file -> CASES.relativize(file).toString().startsWith("schedule"))
          .sorted((one, other) -> number(one).compareTo(number(other)))
          .toList();
    }
  }

  /** As {@code schedule-tas/005}: the names of the files are longer. */
  private static String number(Path file) {
    String name = CASES.relativize(file).toString();
    return name.substring(0, name.indexOf('-', name.indexOf('/')));
  }

  private static Decided decide(Path file) throws IOException {
    ObjectNode asked = (ObjectNode) JSON.readTree(file.toFile());
    SortedMap<String, List<String>> kueue = ScheduleComparison.expected(asked);
    JsonNode answer = new CaseQuestions(CaseRule.ROUND).answer(asked);
    JsonNode cycles = new CaseQuestions(CaseRule.CYCLES).answer(asked);
    return new Decided(
        asked,
        answer,
        kueue,
        ScheduleComparison.answered(answer, kueue),
        ScheduleComparison.answered(cycles, kueue));
  }
}
