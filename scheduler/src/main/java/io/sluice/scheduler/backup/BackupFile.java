// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.backup;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * A backup on disk, read entry by entry after its digest was verified. {@link BackupWriter}
 * describes the format.
 */
final class BackupFile implements AutoCloseable {
  static final byte[] MAGIC = "SLUICE-BACKUP\n".getBytes(StandardCharsets.US_ASCII);
  static final int HEADER = 'H';
  static final int TABLE = 'T';
  static final int SEQUENCE = 'S';
  static final int END = 'E';

  private static final int DIGEST_BYTES = 32;
  private static final int BUFFER_BYTES = 256 << 10;

  /** Maximum size of an entry; PostgreSQL's rows are not larger. */
  private static final int ENTRY_BYTES_MAX = 1 << 30;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path path;
  private final DataInputStream entries;

  private BackupFile(Path path, DataInputStream entries) {
    this.path = path;
    this.entries = entries;
  }

  static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException inEveryJdk) {
      throw new IllegalStateException(inEveryJdk);
    }
  }

  /**
   * Opens a backup and reads it completely once, to verify its digest.
   *
   * @throws BackupException if it is not a backup, truncated or damaged
   */
  static BackupFile open(Path path) {
    try {
      long content = Files.size(path) - DIGEST_BYTES;
      try (InputStream raw = new BufferedInputStream(Files.newInputStream(path), BUFFER_BYTES)) {
        if (!Arrays.equals(raw.readNBytes(MAGIC.length), MAGIC)) {
          throw new BackupException(path + " is no backup of Sluice");
        }
      }
      if (content < MAGIC.length || !isWhole(path, content)) {
        throw new BackupException(
            path + " is truncated or damaged: the digest at its end is not that of its content");
      }
      InputStream raw = new BufferedInputStream(Files.newInputStream(path), BUFFER_BYTES);
      raw.skipNBytes(MAGIC.length);
      InputStream zipped = new Bounded(raw, content - MAGIC.length);
      return new BackupFile(path, new DataInputStream(new GZIPInputStream(zipped, BUFFER_BYTES)));
    } catch (IOException failure) {
      throw new BackupException("cannot read " + path, failure);
    }
  }

  private static boolean isWhole(Path path, long content) throws IOException {
    MessageDigest digest = newDigest();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(path)) {
      long left = content;
      while (left > 0) {
        int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (read < 0) {
          return false;
        }
        digest.update(buffer, 0, read);
        left -= read;
      }
      return Arrays.equals(digest.digest(), in.readNBytes(DIGEST_BYTES));
    }
  }

  /** The kind of the next entry. */
  int kind() throws IOException {
    return entries.readByte();
  }

  /** Parses the next entry as a JSON value. */
  <T> T value(Class<T> type) throws IOException {
    return JSON.readValue(bytes(), type);
  }

  /** The next rows of a table; empty after the last. */
  byte[] rows() throws IOException {
    return bytes();
  }

  private byte[] bytes() throws IOException {
    int length = entries.readInt();
    if (length < 0 || length > ENTRY_BYTES_MAX) {
      throw new BackupException(path + " has an entry of " + length + " bytes");
    }
    byte[] bytes = entries.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException(path + " ends within an entry");
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }

  /** A stream limited to the first bytes of another. */
  private static final class Bounded extends FilterInputStream {
    private long left;

    Bounded(InputStream in, long length) {
      super(in);
      this.left = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (left <= 0) {
        return -1;
      }
      int read = super.read(bytes, offset, (int) Math.min(length, left));
      left -= Math.max(0, read);
      return read;
    }

    @Override
    public int available() throws IOException {
      return (int) Math.min(super.available(), left);
    }
  }
}
