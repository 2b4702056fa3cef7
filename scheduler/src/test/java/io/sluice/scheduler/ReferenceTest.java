// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.telemetry.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The pages of reference say what the server's options, settings and metrics are. */
class ReferenceTest {
  private static final Path PAGES = Path.of("..", "docs", "reference");
  private static final String MARK = "<!-- generated from here -->\n";
  private static final String WRITE = "reference.write";
  private static final Pattern METRIC = Pattern.compile("^\\| `(sluice_[a-z_]+)` \\|([^|]*)\\|");

  @Test
  void thePageOfTheConfigurationIsCurrent() throws IOException {
    Path file = PAGES.resolve("configuration.md");
    String page = Files.readString(file);
    int mark = page.indexOf(MARK);
    assertThat(mark).as(file + " has the line " + MARK).isNotNegative();
    String current =
        page.substring(0, mark + MARK.length()) + "\n" + ConfigurationReference.write();
    if (System.getProperty(WRITE) != null) {
      Files.writeString(file, current);
    }
    assertThat(Files.readString(file))
        .as(
            "to write it anew: ./mvnw -pl scheduler -am test -Dtest=ReferenceTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -D"
                + WRITE)
        .isEqualTo(current);
  }

  @Test
  void thePageOfTheMetricsHasEachWithItsLabels() throws IOException {
    Set<String> listed = new TreeSet<>();
    String labels = "";
    for (String line : Files.readAllLines(PAGES.resolve("metrics.md"))) {
      Matcher row = METRIC.matcher(line);
      if (row.find()) {
        labels = row.group(2).strip().equals("the same") ? labels : row.group(2).strip();
        listed.add(row.group(1) + " " + labels);
      }
    }
    Set<String> known = new TreeSet<>();
    for (Metric metric : Metric.values()) {
      List<String> words = metric.labels().stream().map(label -> "`" + label + "`").toList();
      known.add(metric.id() + " " + words.stream().collect(Collectors.joining(", ")));
    }
    assertThat(listed).isEqualTo(known);
  }
}
