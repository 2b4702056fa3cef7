// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every folder under {@code rendered} is a case: the job of ours in {@code in.yaml} is given to a
 * cluster as {@code rendered.yaml}, in the third attempt of its last index. With {@code
 * -Dgolden.rewrite=true} the expectations are written anew, to be looked at.
 */
class RenderedFoldersTest {
  private static final Path FOLDERS = Path.of("src/test/resources/rendered");
  private static final boolean REWRITES = Boolean.getBoolean("golden.rewrite");

  @TestFactory
  Stream<DynamicTest> everyJobIsGivenToAClusterAsItsFolderSays() throws IOException {
    try (Stream<Path> entries = Files.list(FOLDERS)) {
      List<Path> folders = entries.filter(Files::isDirectory).sorted().toList();
      assertThat(folders).hasSizeGreaterThanOrEqualTo(4);
      return folders.stream()
          .map(
              folder ->
                  DynamicTest.dynamicTest(folder.getFileName().toString(), () -> check(folder)));
    }
  }

  private static void check(Path folder) throws IOException {
    JobSpec job = ManifestReader.readJob(Files.readString(folder.resolve("in.yaml")));
    AdmittedAttempt whole = Admissions.whole(job, 3);
    AttemptKey key = new AttemptKey(Admissions.ID, job.array().count() - 1, 3);
    String text =
        ManifestWriter.writeYaml(
            JobRenderer.render(
                job, new AdmittedAttempt(key, 2, whole.podSets()), AcceleratorCatalogue.BUILT_IN));
    Path expectation = folder.resolve("rendered.yaml");
    if (REWRITES) {
      Files.writeString(expectation, text);
    }
    assertThat(text).isEqualTo(Files.readString(expectation));
  }
}
