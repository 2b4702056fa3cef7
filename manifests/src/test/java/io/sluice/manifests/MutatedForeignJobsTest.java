// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.manifests.rendering.Admissions;
import io.sluice.manifests.rendering.ForeignRenderer;
import io.sluice.queuemodel.InvalidValueException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever stands in a foreign manifest, it is refused with reasons, or read and rendered. */
class MutatedForeignJobsTest {
  private static final long SEED = 20261121;
  private static final int MUTANTS_PER_FOLDER = 200;

  @Test
  void damagedManifestsAreRefusedOrReadAndRendered() throws IOException {
    Random random = new Random(SEED);
    int refused = 0;
    int rendered = 0;
    for (Path folder : ForeignFoldersTest.folders()) {
      String original = ForeignFoldersTest.text(folder);
      for (int mutant = 0; mutant < MUTANTS_PER_FOLDER; mutant++) {
        String text = MutatedManifestsTest.mutate(original, random);
        String note = folder + " of seed " + SEED + ", mutant " + mutant + ":\n" + text;
        try {
          rendered += readAndRender(text);
        } catch (InvalidManifestException violations) {
          assertThat(violations.violations()).as(note).isNotEmpty().hasSizeLessThanOrEqualTo(20);
          for (Violation violation : violations.violations()) {
            assertThat(violation.message()).as(note).isNotBlank().hasSizeLessThan(1000);
            assertThat(violation.toString()).as(note).doesNotContain("Exception", "java.");
          }
          refused++;
        } catch (RuntimeException unexpected) {
          throw new AssertionError(note, unexpected);
        }
      }
    }
    assertThat(refused).isGreaterThan(MUTANTS_PER_FOLDER);
    assertThat(rendered).isGreaterThan(MUTANTS_PER_FOLDER);
  }

  /** How many jobs there were that could be given what they ask for. */
  private static int readAndRender(String text) {
    int rendered = 0;
    List<ForeignJob> jobs = ForeignReader.readAll(text);
    for (ForeignJob job : jobs) {
      try {
        ForeignRenderer.render(job, Admissions.whole(job.spec(), 1));
        rendered++;
      } catch (InvalidValueException otherNodes) {
        assertThat(otherNodes).hasMessageContaining("pods select");
      }
    }
    assertThat(ForeignReader.readAll(text)).isEqualTo(jobs);
    return rendered;
  }
}
