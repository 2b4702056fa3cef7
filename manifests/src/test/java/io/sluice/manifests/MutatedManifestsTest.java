// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Damaged manifests are refused with violations, or read as something that can be written and read
 * again; nothing else comes of them. A run takes seconds, so the bound on it stands for hanging.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MutatedManifestsTest {
  private static final int MUTANTS_PER_FOLDER = Integer.getInteger("mutants", 150);
  private static final long SEED = Long.getLong("mutants.seed", 20_260_101L);

  private static final String[] SCALARS = {
    "null",
    "~",
    "true",
    "yes",
    "-1",
    "0",
    "1e999",
    "1e99999999999",
    ".nan",
    "-.inf",
    "010",
    "0x1F",
    "1_000",
    "1:30",
    "99999999999999999999999999",
    "4.0",
    "\"\"",
    "''",
    "[]",
    "{}",
    "[[]]",
    "[null]",
    "{a: b}",
    "{\"\": 1}",
    "*a",
    "&a [*a]",
    "&b x",
    "!!int 5",
    "!!binary aGk=",
    "!x y",
    "<<",
    "? a",
    "\"\\0\"",
    "\"\\ud800\"",
    "\"\\U0010FFFF\"",
    "\"\\x\"",
    "|",
    ">-",
    "|9",
    "%",
    "@",
    "`",
    "\u0000",
    "\ufffe",
    "\u2028",
    "\ud83d\ude00",
    "-",
    "---",
    "...",
    "#",
    "%YAML 9999999999999.1",
    "a".repeat(300)
  };
  private static final String[] MARKS = {
    ":", ",", "[", "]", "{", "}", "\"", "'", "\n", " ", "-", "#", "&", "*", "!", "|", ">", "\t", "?"
  };

  @Test
  void nothingButViolationsComesOfDamage() throws IOException {
    Random random = new Random(SEED);
    int refused = 0;
    int taken = 0;
    for (Path folder : GoldenFoldersTest.folders()) {
      String original = Files.readString(GoldenFoldersTest.inputOf(folder));
      for (int mutant = 0; mutant < MUTANTS_PER_FOLDER; mutant++) {
        String text = mutate(original, random);
        if (isTakenOrRefused(text, folder + " of seed " + SEED + ", mutant " + mutant)) {
          taken++;
        } else {
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(MUTANTS_PER_FOLDER);
    assertThat(taken).isGreaterThan(MUTANTS_PER_FOLDER);
  }

  @Test
  void nothingButViolationsComesOfDamagedBytes() throws IOException {
    Random random = new Random(SEED);
    byte[] original =
        Files.readAllBytes(GoldenFoldersTest.inputOf(GoldenFoldersTest.folders().get(0)));
    int refused = 0;
    for (int mutant = 0; mutant < MUTANTS_PER_FOLDER; mutant++) {
      byte[] bytes = original.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        ManifestReader.readAll(bytes);
      } catch (InvalidManifestException invalid) {
        refused++;
      }
    }
    assertThat(refused).isBetween(1, MUTANTS_PER_FOLDER);
  }

  private static boolean isTakenOrRefused(String text, String note) {
    List<Manifest> manifests;
    try {
      manifests = ManifestReader.readAll(text);
    } catch (InvalidManifestException refused) {
      assertThat(refused.violations()).as(note).isNotEmpty().hasSizeLessThanOrEqualTo(20);
      for (Violation violation : refused.violations()) {
        assertThat(violation.message()).as(note).isNotBlank().hasSizeLessThan(1000);
        assertThat(violation.value()).as(note).hasSizeLessThanOrEqualTo(100).doesNotContain("\n");
        assertThat(violation.path()).as(note).hasSizeLessThan(1000).doesNotContain("\n");
        assertThat(violation.toString()).as(note).doesNotContain("Exception", "io.sluice", "java.");
      }
      return false;
    } catch (RuntimeException unexpected) {
      throw new AssertionError(note + ":\n" + text, unexpected);
    }
    assertThat(ManifestReader.readAll(ManifestWriter.writeYaml(manifests)))
        .as("%s:%n%s", note, text)
        .isEqualTo(manifests);
    return true;
  }

  static String mutate(String original, Random random) {
    String text = original;
    for (int i = random.nextInt(3); i >= 0; i--) {
      text =
          switch (random.nextInt(6)) {
            case 0 -> replaceScalar(text, random);
            case 1 -> editLine(text, random);
            case 2 -> insertAt(text, MARKS[random.nextInt(MARKS.length)], random);
            case 3 -> insertAt(text, SCALARS[random.nextInt(SCALARS.length)], random);
            case 4 -> deleteSpan(text, random);
            default -> swapLetters(text, random);
          };
    }
    return text;
  }

  /** Puts an odd value where a field's value stands. */
  private static String replaceScalar(String text, Random random) {
    List<Integer> colons = new ArrayList<>();
    for (int at = text.indexOf(": "); at >= 0; at = text.indexOf(": ", at + 1)) {
      colons.add(at);
    }
    if (colons.isEmpty()) {
      return text;
    }
    int from = colons.get(random.nextInt(colons.size())) + 2;
    int to = from;
    while (to < text.length() && ",]}\n".indexOf(text.charAt(to)) < 0) {
      to++;
    }
    return text.substring(0, from) + SCALARS[random.nextInt(SCALARS.length)] + text.substring(to);
  }

  private static String editLine(String text, Random random) {
    List<String> lines = new ArrayList<>(Stream.of(text.split("\n", -1)).toList());
    int line = random.nextInt(lines.size());
    switch (random.nextInt(4)) {
      case 0 -> lines.remove(line);
      case 1 -> lines.add(line, lines.get(line));
      case 2 -> lines.set(line, "  " + lines.get(line));
      default -> lines.set(line, lines.get(random.nextInt(lines.size())));
    }
    return String.join("\n", lines);
  }

  private static String insertAt(String text, String insertion, Random random) {
    int at = random.nextInt(text.length() + 1);
    return text.substring(0, at) + insertion + text.substring(at);
  }

  private static String deleteSpan(String text, Random random) {
    int from = random.nextInt(text.length() + 1);
    int to = Math.min(text.length(), from + 1 + random.nextInt(8));
    return text.substring(0, from) + text.substring(to);
  }

  private static String swapLetters(String text, Random random) {
    if (text.length() < 2) {
      return text;
    }
    int at = random.nextInt(text.length() - 1);
    return text.substring(0, at) + text.charAt(at + 1) + text.charAt(at) + text.substring(at + 2);
  }
}
