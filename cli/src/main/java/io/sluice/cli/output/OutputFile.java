// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import io.sluice.cli.client.ClientException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file of results, which is absent or complete: it has a temporary name beside its place until
 * {@link #keep}. Without a path it does nothing.
 */
public final class OutputFile implements Closeable {
  private final @Nullable Path file;
  private final @Nullable Path unfinished;

  private OutputFile(@Nullable Path file, @Nullable Path unfinished) {
    this.file = file;
    this.unfinished = unfinished;
  }

  /** Writes text. */
  public interface Content {
    void writeTo(Appendable text) throws IOException;
  }

  /**
   * Creates the temporary file, so that a folder that cannot be written is reported at once.
   *
   * @param path null: there is nothing to write
   */
  public static OutputFile open(@Nullable Path path) {
    if (path == null) {
      return new OutputFile(null, null);
    }
    Path file = path.toAbsolutePath();
    if (Files.isDirectory(file)) {
      throw new ClientException("cannot write " + path + ": it is a folder");
    }
    Path unfinished =
        file.resolveSibling(
            "." + file.getFileName() + ".unfinished-" + ProcessHandle.current().pid());
    try {
      Files.deleteIfExists(unfinished);
      Files.createFile(unfinished);
    } catch (IOException failed) {
      throw new ClientException("cannot write " + path + ": " + failed);
    }
    return new OutputFile(file, unfinished);
  }

  /** Writes the content to the temporary file. */
  public void write(Content content) throws IOException {
    if (unfinished != null) {
      try (Writer text = writer(unfinished)) {
        content.writeTo(text);
      }
    }
  }

  /** Compresses a file whose name ends with .gz. */
  private Writer writer(Path unfinished) throws IOException {
    boolean compressed = file != null && file.toString().endsWith(".gz");
    return compressed
        ? new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(unfinished)), StandardCharsets.UTF_8)
        : Files.newBufferedWriter(unfinished);
  }

  /** Gives the file its name, in place of a former one. */
  public void keep() throws IOException {
    if (file != null && unfinished != null) {
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Removes the temporary file. */
  @Override
  public void close() throws IOException {
    if (unfinished != null) {
      Files.deleteIfExists(unfinished);
    }
  }
}
