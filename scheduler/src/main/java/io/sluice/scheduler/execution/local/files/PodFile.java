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
 * Looks at a file that a pod writes. Links are not followed: without an account of its own a pod
 * could put something else there.
 */
public final class PodFile {
  private PodFile() {}

  /**
   * When it was written last.
   *
   * @param otherwise if there is no such file, perhaps because it is gone with its attempt
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

  /** The first line of so many bytes; empty if there is none, or no such file. */
  public static String firstLine(Path file, int bytesMax) {
    try (InputStream content = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      String text = new String(content.readNBytes(bytesMax), StandardCharsets.UTF_8);
      return text.lines().findFirst().orElse("");
    } catch (IOException goneWithItsAttempt) {
      return "";
    }
  }
}
