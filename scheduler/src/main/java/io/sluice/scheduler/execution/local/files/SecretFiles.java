// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.files;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.job.SecretKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.jspecify.annotations.Nullable;

/**
 * Reads secrets of jobs from files: {@code DIRECTORY/NAMESPACE/SECRET/KEY}. Whoever puts a file
 * there grants it to the jobs of the namespace. Nothing of the content is kept, and no message has
 * any of it.
 *
 * @param directory null: there are no secrets
 * @param charset in which the JDK passes environments
 */
public record SecretFiles(@Nullable Path directory, Charset charset) {
  /** One variable of the environment; Linux takes no more than 128 KiB. */
  private static final int BYTES_MAX = 96 << 10;

  /**
   * Checks the directory at the server's start.
   *
   * @throws InvalidValueException if it is none
   */
  public static void check(@Nullable Path directory) {
    if (directory != null && !Files.isDirectory(directory)) {
      throw new InvalidValueException("--secrets " + directory + " is no directory");
    }
  }

  /**
   * The value of a secret, without a line break at its end.
   *
   * @throws IOException with a message for the job's owner, if it cannot be used
   */
  public String read(String namespace, SecretKey key) throws IOException {
    if (directory == null) {
      throw new IOException(
          "secret %s is needed, and this server has none (--secrets)".formatted(key));
    }
    Names.requireLabel(namespace);
    Path file = directory.resolve(namespace).resolve(key.secret()).resolve(key.key());
    String value = text(bytes(file, namespace, key), namespace, key);
    if (value.endsWith("\n")) {
      value = value.substring(0, value.length() - (value.endsWith("\r\n") ? 2 : 1));
    }
    if (value.indexOf('\0') >= 0 || !charset.newEncoder().canEncode(value)) {
      throw unusable(
          namespace, key, "has characters that an environment cannot pass on in " + charset);
    }
    return value;
  }

  private byte[] bytes(Path file, String namespace, SecretKey key) throws IOException {
    try {
      if (isOpen(file)) {
        throw unusable(namespace, key, "can be read by every account of the machine: chmod 600");
      }
      if (Files.size(file) > BYTES_MAX) {
        throw unusable(namespace, key, "is larger than 96 KiB");
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException missing) {
      throw unusable(namespace, key, "has no file in the server's directory of secrets");
    } catch (SecretException reported) {
      throw reported;
    } catch (IOException unreadable) {
      throw unusable(namespace, key, "cannot be read: " + unreadable.getClass().getSimpleName());
    }
  }

  /** Whether others can read the file, and can enter the directory. */
  private boolean isOpen(Path file) throws IOException {
    return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)
        && directory != null
        && Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_EXECUTE);
  }

  private static String text(byte[] bytes, String namespace, SecretKey key) throws IOException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException binary) {
      throw unusable(namespace, key, "is no text in UTF-8");
    }
  }

  private static SecretException unusable(String namespace, SecretKey key, String why) {
    return new SecretException("secret %s of namespace %s %s".formatted(key, namespace, why));
  }

  /** Tells its own errors from those of the file system. */
  private static final class SecretException extends IOException {
    private static final long serialVersionUID = 1L;

    SecretException(String message) {
      super(message);
    }
  }
}
