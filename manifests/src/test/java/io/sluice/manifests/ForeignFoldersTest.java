// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignKind;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.manifests.rendering.Admissions;
import io.sluice.manifests.rendering.ForeignRenderer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every folder under {@code foreign} is a case: {@code in.yaml} is read, and what comes of it is
 * {@code out.yaml}, what was understood, and {@code rendered.yaml}, what a cluster is given for the
 * second attempt; or {@code errors.txt}, one violation a line. With {@code -Dgolden.rewrite=true}
 * the expectations are written anew, to be looked at.
 */
class ForeignFoldersTest {
  private static final Path FOLDERS = Path.of("src/test/resources/foreign");
  private static final boolean REWRITES = Boolean.getBoolean("golden.rewrite");

  @TestFactory
  Stream<DynamicTest> everyFolderComesOutAsItSays() throws IOException {
    return folders().stream()
        .map(
            folder ->
                DynamicTest.dynamicTest(folder.getFileName().toString(), () -> check(folder)));
  }

  @Test
  void everyKindHasAFolder() throws IOException {
    List<ForeignKind> kinds =
        folders().stream()
            .filter(folder -> !folder.getFileName().toString().startsWith("error-"))
            .flatMap(folder -> ForeignReader.readAll(text(folder)).stream())
            .map(ForeignJob::kind)
            .distinct()
            .toList();
    assertThat(kinds).containsExactlyInAnyOrder(ForeignKind.values());
  }

  private static void check(Path folder) throws IOException {
    List<ForeignJob> jobs;
    try {
      jobs = ForeignReader.readAll(text(folder));
    } catch (InvalidManifestException invalid) {
      String lines =
          invalid.violations().stream().map(each -> each + "\n").collect(Collectors.joining());
      compare(folder.resolve("errors.txt"), lines);
      assertThat(folder.resolve("out.yaml")).doesNotExist();
      return;
    }
    compare(
        folder.resolve("out.yaml"),
        jobs.stream().map(ForeignJobText::of).collect(Collectors.joining()));
    StringBuilder rendered = new StringBuilder();
    for (ForeignJob job : jobs) {
      for (ObjectNode document : ForeignRenderer.render(job, Admissions.whole(job.spec(), 2))) {
        rendered.append(ManifestWriter.writeYaml(document));
      }
    }
    compare(folder.resolve("rendered.yaml"), rendered.toString());
    assertThat(folder.resolve("errors.txt")).doesNotExist();
  }

  private static void compare(Path expectation, String text) throws IOException {
    if (REWRITES) {
      Files.writeString(expectation, text);
    }
    assertThat(text).isEqualTo(Files.readString(expectation));
  }

  static String text(Path folder) {
    try {
      return Files.readString(folder.resolve("in.yaml"));
    } catch (IOException unreadable) {
      throw new java.io.UncheckedIOException(unreadable);
    }
  }

  static List<Path> folders() throws IOException {
    try (Stream<Path> entries = Files.list(FOLDERS)) {
      return entries.filter(Files::isDirectory).sorted().toList();
    }
  }
}
