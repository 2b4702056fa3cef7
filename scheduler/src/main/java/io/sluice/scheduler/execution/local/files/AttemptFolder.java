// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import io.sluice.queuemodel.job.AttemptKey;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The place of an attempt in a directory of attempts: {@code JOB/INDEX/ATTEMPT}.
 *
 * @param attempt in {@code index}, and that in {@code job}
 */
public record AttemptFolder(Path job, Path index, Path attempt) {
  public static AttemptFolder in(Path directory, AttemptKey key) {
    Path job = directory.resolve(key.job().toString());
    Path index = job.resolve(Integer.toString(key.index()));
    return new AttemptFolder(job, index, index.resolve(Integer.toString(key.attempt())));
  }

  /** Makes what of it is not there, such that others may pass through. */
  void createPassable() throws IOException {
    PrivateFiles.createPassable(job);
    PrivateFiles.createPassable(index);
    PrivateFiles.createPassable(attempt);
  }

  /** Removes what the attempt's folder was in, unless other attempts or indices are there. */
  void removeSurroundings() throws IOException {
    try {
      Files.deleteIfExists(index);
      Files.deleteIfExists(job);
    } catch (DirectoryNotEmptyException others) {
      // They will remove it.
    }
  }
}
