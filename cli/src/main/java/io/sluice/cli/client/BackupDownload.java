// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Downloads a backup. The file has a temporary name until it is complete: the last 32 bytes are the
 * SHA-256 of all before.
 */
public final class BackupDownload {
  private static final int DIGEST_BYTES = 32;
  private static final int BUFFER_BYTES = 256 << 10;
  private static final long PROGRESS_BYTES = 4L << 20;

  private final Path file;

  public BackupDownload(Path file) {
    this.file = file.toAbsolutePath();
  }

  /**
   * Writes the backup durably.
   *
   * @param progress receives the number of bytes so far, at intervals
   * @return its size in bytes
   * @throws IOException if the stream ends early or the file cannot be written; no file is left
   */
  public long store(InputStream stream, LongConsumer progress) throws IOException {
    Path unfinished =
        file.resolveSibling(
            "." + file.getFileName() + ".unfinished-" + ProcessHandle.current().pid());
    Files.deleteIfExists(unfinished);
    Files.createFile(unfinished, forOwner());
    try {
      long bytes = write(stream, unfinished, progress);
      if (Files.exists(file)) {
        throw new FileAlreadyExistsException(file + " has come to exist meanwhile");
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      forceEntries();
      return bytes;
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private static long write(InputStream stream, Path unfinished, LongConsumer progress)
      throws IOException {
    MessageDigest digest = newDigest();
    byte[] buffer = new byte[BUFFER_BYTES + DIGEST_BYTES];
    int kept = 0;
    long written = 0;
    long told = 0;
    try (FileChannel out = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
      // Hold the last bytes back, since they may be the digest.
      for (int read = stream.read(buffer, kept, BUFFER_BYTES);
          read >= 0;
          read = stream.read(buffer, kept, BUFFER_BYTES)) {
        int all = kept + read;
        int sure = Math.max(0, all - DIGEST_BYTES);
        digest.update(buffer, 0, sure);
        write(out, buffer, sure);
        written += sure;
        System.arraycopy(buffer, sure, buffer, 0, all - sure);
        kept = all - sure;
        if (written - told >= PROGRESS_BYTES) {
          told = written;
          progress.accept(written);
        }
      }
      if (!Arrays.equals(digest.digest(), Arrays.copyOf(buffer, kept))) {
        throw new IOException(
            "it ended early, after %d bytes; the server's log says why".formatted(written + kept));
      }
      write(out, buffer, kept);
      out.force(true);
    }
    return written + kept;
  }

  private static void write(FileChannel out, byte[] bytes, int length) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes, 0, length);
    while (left.hasRemaining()) {
      out.write(left);
    }
  }

  private static FileAttribute<?>[] forOwner() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /** Syncs the folder, so that the new name survives a crash of the machine. */
  private void forceEntries() throws IOException {
    Path directory = file.getParent();
    if (directory != null) {
      try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
        entries.force(true);
      }
    }
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException inEveryJdk) {
      throw new IllegalStateException(inEveryJdk);
    }
  }
}
