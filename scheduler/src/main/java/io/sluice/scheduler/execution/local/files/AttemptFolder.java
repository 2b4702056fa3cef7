// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import io.sluice.queuemodel.job.AttemptKey;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder of an attempt in a directory of attempts: {@code JOB/INDEX/ATTEMPT}.
 *
 * @param attempt the attempt's folder, in {@code index}, which is in {@code job}
 */
public record AttemptFolder(Path job, Path index, Path attempt) {
  public static AttemptFolder in(Path directory, AttemptKey key) {
    Path job = directory.resolve(key.job().toString());
    Path index = job.resolve(Integer.toString(key.index()));
    return new AttemptFolder(job, index, index.resolve(Integer.toString(key.attempt())));
  }

  /** Creates the missing folders, which other accounts may pass through. */
  void createPassable() throws IOException {
    PrivateFiles.createPassable(job);
    PrivateFiles.createPassable(index);
    PrivateFiles.createPassable(attempt);
  }

  /** Removes the parent folders unless they hold other attempts or indices. */
  void removeSurroundings() throws IOException {
    try {
      Files.deleteIfExists(index);
      Files.deleteIfExists(job);
    } catch (DirectoryNotEmptyException others) {
      // The other attempts will remove it.
    }
  }
}
