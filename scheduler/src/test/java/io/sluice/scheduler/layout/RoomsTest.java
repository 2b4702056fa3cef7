// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Packages stay small enough to be read as a list. What is larger stands here with its reason;
 * whoever splits it takes it off the list, so that the list only ever gets shorter.
 */
class RoomsTest {
  private static final int FILES_MAX = 25;
  private static final int LARGE_MAX = 35;

  private static final Map<String, String> LARGE =
      Map.of(
          "simulator/src/main/java/io/sluice/simulator",
          "one simulated world, whose parts all know each other",
          "simulator/src/main/java/io/sluice/simulator/conformance",
          "one class for each kind of question that a case asks");

  private static final Map<String, Integer> FILES = new TreeMap<>();

  @BeforeAll
  static void count() throws IOException {
    Path checkout = Production.checkout();
    List<Path> sources;
    try (Stream<Path> modules = Files.list(checkout)) {
      sources = modules.map(module -> module.resolve("src/main/java")).toList();
    }
    for (Path module : sources) {
      if (Files.isDirectory(module)) {
        try (Stream<Path> files = Files.walk(module)) {
          files.filter(RoomsTest::holdsClass).forEach(file -> add(checkout, file));
        }
      }
    }
  }

  private static boolean holdsClass(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".java") && !name.equals("package-info.java");
  }

  private static void add(Path checkout, Path file) {
    String room = checkout.relativize(file.getParent()).toString().replace('\\', '/');
    FILES.merge(room, 1, Integer::sum);
  }

  @Test
  void aLargePackageStandsOnTheListWithItsReason() {
    Map<String, Integer> large = new TreeMap<>(FILES);
    large.values().removeIf(files -> files <= FILES_MAX);
    assertThat(large.keySet()).containsExactlyInAnyOrderElementsOf(LARGE.keySet());
    assertThat(large.values()).allMatch(files -> files <= LARGE_MAX);
  }

  @Test
  void thePackagesOfEveryModuleAreCounted() {
    assertThat(FILES).hasSizeGreaterThan(50);
    assertThat(FILES.keySet())
        .anyMatch(room -> room.startsWith("queue-model/"))
        .anyMatch(room -> room.startsWith("cli/"))
        .anyMatch(room -> room.startsWith("benchmarks/"));
  }
}
