// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every folder under {@code golden} is a case: {@code in.yaml} or {@code in.json} is read, and what
 * comes of it is {@code out.yaml}, its canonical form, or {@code errors.txt}, one violation a line.
 * With {@code -Dgolden.rewrite=true} the expectations are written anew, to be looked at.
 */
class GoldenFoldersTest {
  private static final Path FOLDERS = Path.of("src/test/resources/golden");
  private static final boolean REWRITES = Boolean.getBoolean("golden.rewrite");

  @TestFactory
  Stream<DynamicTest> everyFolderComesOutAsItSays() {
    return folders().stream()
        .map(
            folder ->
                DynamicTest.dynamicTest(folder.getFileName().toString(), () -> check(folder)));
  }

  @Test
  void thereAreFolders() {
    assertThat(folders()).hasSizeGreaterThanOrEqualTo(40);
  }

  private static void check(Path folder) throws IOException {
    Path out = folder.resolve("out.yaml");
    Path errors = folder.resolve("errors.txt");
    byte[] input = Files.readAllBytes(inputOf(folder));
    List<Manifest> manifests;
    try {
      manifests = ManifestReader.readAll(input);
    } catch (InvalidManifestException invalid) {
      String lines =
          invalid.violations().stream().map(each -> each + "\n").collect(Collectors.joining());
      rewrite(errors, out, lines);
      assertThat(out).doesNotExist();
      assertThat(lines).isEqualTo(Files.readString(errors));
      return;
    }
    String written = ManifestWriter.writeYaml(manifests);
    rewrite(out, errors, written);
    assertThat(errors).doesNotExist();
    assertThat(written).isEqualTo(Files.readString(out));
    assertThat(ManifestReader.readAll(written)).isEqualTo(manifests);
  }

  private static void rewrite(Path expectation, Path other, String text) throws IOException {
    if (REWRITES) {
      Files.writeString(expectation, text);
      Files.deleteIfExists(other);
    }
  }

  static Path inputOf(Path folder) {
    Path json = folder.resolve("in.json");
    return Files.exists(json) ? json : folder.resolve("in.yaml");
  }

  static List<Path> folders() {
    try (Stream<Path> entries = Files.list(FOLDERS)) {
      return entries.filter(Files::isDirectory).sorted().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
