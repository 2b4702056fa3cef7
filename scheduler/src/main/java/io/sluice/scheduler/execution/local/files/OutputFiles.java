// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.AttemptOutput;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the outputs of pods once nothing of their attempt is left. A copy stays beside the
 * attempt's record until the end is committed, since working directories are removed before: a
 * server that starts after a crash in between reports the same output.
 */
public final class OutputFiles {
  private static final Logger LOG = System.getLogger(OutputFiles.class.getName());

  private final WorkDirectories work;
  private final AttemptRecords records;

  public OutputFiles(WorkDirectories work, AttemptRecords records) {
    this.work = work;
    this.records = records;
  }

  /**
   * Returns the output of an attempt: of several pods, that of the first that wrote one; null: none
   * did.
   */
  public @Nullable AttemptOutput take(AttemptKey attempt, int generation, List<String> pods) {
    Path kept = records.output(attempt, generation);
    byte[] written = read(kept);
    if (written.length == 0) {
      for (String pod : pods) {
        written = read(work.outputFile(attempt, pod));
        if (written.length > 0) {
          keep(kept, written, attempt);
          break;
        }
      }
    }
    return written.length == 0 ? null : AttemptOutput.of(attempt, written);
  }

  private static void keep(Path file, byte[] written, AttemptKey attempt) {
    try {
      PrivateFiles.replace(file, written);
    } catch (IOException failed) {
      LOG.log(Level.WARNING, "The output of " + attempt + " is not kept for a restart: " + failed);
    }
  }

  /** Reads at most one byte more than the bound; returns nothing for a missing file. */
  private static byte[] read(Path file) {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return new byte[0];
    }
    try (InputStream content = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      return content.readNBytes(AttemptOutput.BYTES_MAX + 1);
    } catch (IOException goneWithItsAttempt) {
      return new byte[0];
    }
  }
}
