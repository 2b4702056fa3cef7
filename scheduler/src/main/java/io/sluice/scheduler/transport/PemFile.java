// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import io.sluice.queuemodel.InvalidValueException;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a PEM file of bounded size. */
final class PemFile {
  /** A larger file is taken for a mistake; bundles of public CAs have a quarter of it. */
  private static final int BYTES_MAX = 1 << 20;

  private PemFile() {}

  /**
   * The content.
   *
   * @throws InvalidValueException naming the file and the reason, if it cannot be read
   */
  static Buffer content(Path file) {
    try {
      if (Files.isDirectory(file)) {
        throw new InvalidValueException("cannot read " + file + ": it is a directory");
      }
      if (Files.size(file) > BYTES_MAX) {
        throw new InvalidValueException("cannot read " + file + ": it is larger than 1 MiB");
      }
      return Buffer.buffer(Files.readAllBytes(file));
    } catch (NoSuchFileException missing) {
      throw new InvalidValueException("cannot read " + file + ": there is no such file");
    } catch (IOException unreadable) {
      throw new InvalidValueException(
          "cannot read %s: %s".formatted(file, unreadable.getClass().getSimpleName()));
    }
  }
}
