// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * Reads a file that a pod writes, without following links: where a pod has no account of its own,
 * it could replace the file.
 */
public final class PodFile {
  private PodFile() {}

  /**
   * Returns the time of its last change.
   *
   * @param otherwise result if there is no such file, perhaps because the attempt is gone
   */
  public static FileTime modified(Path file, FileTime otherwise) {
    try {
      BasicFileAttributes found =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return found.isRegularFile() ? found.lastModifiedTime() : otherwise;
    } catch (IOException goneWithItsAttempt) {
      return otherwise;
    }
  }

  /** Returns its first line, at most a number of bytes; empty if there is no line or file. */
  public static String firstLine(Path file, int bytesMax) {
    try (InputStream content = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      String text = new String(content.readNBytes(bytesMax), StandardCharsets.UTF_8);
      return text.lines().findFirst().orElse("");
    } catch (IOException goneWithItsAttempt) {
      return "";
    }
  }
}
