// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.cli.Checkout;
import io.sluice.cli.options.WrongUsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading of loads: what is right, and that each fault is named by its path. */
class LoadReaderTest {
  private static final Pattern JSON_BLOCK = Pattern.compile("(?s)```json\\n(.*?)```");

  @TempDir Path directory = Path.of("");

  @Test
  void aLoadIsReadWithAllItsFields() {
    Load load = Loads.tiny();
    assertThat(load.name()).isEqualTo("tiny");
    assertThat(load.clusterQueues()).isEqualTo(2);
    assertThat(load.workloads()).isEqualTo(6);
    assertThat(load.clusterQueue())
        .isEqualTo(new Load.QueueTerms(4, 4, "Any", "LowerPriority", "BestEffortFIFO"));
    assertThat(load.classes())
        .containsExactly(
            new Load.WorkloadClass("small", 2, 10, 20, 50, 1),
            new Load.WorkloadClass("large", 1, 15, 30, 200, 4));
    Load.Reference reference = Objects.requireNonNull(load.reference());
    assertThat(reference.meanTimeToAdmissionSeconds()).containsExactly(Map.entry("large", 1.25));
    assertThat(reference.wallSeconds()).isEqualTo(3.5);
  }

  @Test
  void totalsReferenceAndNoteAreOptional() {
    String bare = Loads.TINY.replaceAll("(?s),\\s*\"totals\".*", "}");
    Load load = Loads.read("bare.json", bare);
    assertThat(load.reference()).isNull();
    assertThat(load.workloads()).isEqualTo(6);
  }

  @Test
  void aValueOfTheWrongTypeIsNamed() {
    assertFault("\"name\": \"tiny\"", "\"name\": 7", "name is 7; it must be a text");
    assertFault("\"note\": \"For tests.\"", "\"note\": 1", "note is 1; it must be a text");
  }

  @Test
  void aValueOutOfItsBoundsIsNamed() {
    assertFault("\"cohorts\": 1", "\"cohorts\": 0", "cohorts is 0; it must be");
  }

  @Test
  void aFieldThatIsAbsentUnknownOrDoubledIsNamed() {
    assertFault("\"name\": \"tiny\",", "", "name is absent; it must be a text");
  }

  @Test
  void totalsThatDisagreeWithTheLoadAreNamed() {
    assertFault("\"workloads\": 6", "\"jobs\": 6", "totals.jobs is no field");
  }

  @Test
  void aBrokenStructureIsNamed() {
    assertFault("\"note\": \"For tests.\"}", "\"note\": \"For tests.\"", "this is no JSON");
    assertFault("\"For tests.\"}", "\"For tests.\"} {}", "this is no JSON");
  }

  @Test
  void workloadsAreAListOfObjects() {
    String list = Loads.TINY.substring(Loads.TINY.indexOf("[\n"), Loads.TINY.indexOf("}],") + 2);
    assertFault(
        list, "[]", "workloadsPerClusterQueue is []; it must be a list of 1 to 100 objects");
    assertFault(list, "[3]", "workloadsPerClusterQueue[0] is 3; it must be an object");
    assertFault(list, "{}", "workloadsPerClusterQueue is {}; it must be a list");
  }

  /** Reads the tiny load with a part of it replaced. */
  private static void assertFault(String right, String wrong, String message) {
    String json = Loads.TINY.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong));
    assertThat(json).isNotEqualTo(Loads.TINY);
    assertThatExceptionOfType(WrongUsageException.class)
        .isThrownBy(() -> Loads.read("tiny.json", json))
        .withMessageContaining("tiny.json")
        .withMessageContaining(message);
  }

  @Test
  void whatIsNoObjectIsRefused() {
    for (String json : new String[] {"", "[]", "null", "\"load\"", "{", "\u0000"}) {
      assertThatExceptionOfType(WrongUsageException.class)
          .as(json)
          .isThrownBy(() -> Loads.read("broken.json", json))
          .withMessageContaining("broken.json");
    }
  }

  @Test
  void aFileThatIsAbsentTooLargeOrAFolderIsRefused() throws IOException {
    Path large = directory.resolve("large.json");
    Files.writeString(large, Loads.TINY + " ".repeat(LoadReader.BYTES_MAX), StandardCharsets.UTF_8);
    assertThatExceptionOfType(WrongUsageException.class)
        .isThrownBy(() -> LoadReader.read(large))
        .withMessageContaining("more than 1 MiB");
    assertThatExceptionOfType(WrongUsageException.class)
        .isThrownBy(() -> LoadReader.read(directory.resolve("none.json")))
        .withMessageContaining("there is no file");
    assertThatExceptionOfType(WrongUsageException.class)
        .isThrownBy(() -> LoadReader.read(directory))
        .withMessageContaining("cannot read");
    Path right = Files.writeString(directory.resolve("right.json"), Loads.TINY);
    assertThat(LoadReader.read(right).workloads()).isEqualTo(6);
  }

  @Test
  void theLoadOfTheGuideCanBeRead() throws IOException {
    String page = Files.readString(Checkout.root().resolve("docs/how-to/benchmark-a-server.md"));
    Matcher block = JSON_BLOCK.matcher(page);
    assertThat(block.find()).isTrue();
    Load load = Loads.read("load.json", block.group(1));
    assertThat(load.workloads()).isEqualTo(420);
    assertThat(page).contains("load of 420 workloads");
  }
}
