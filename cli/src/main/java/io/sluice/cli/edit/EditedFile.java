// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.edit;

import io.sluice.cli.client.ClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A temporary file that the user's editor changes. */
final class EditedFile {
  private static final String COMMENT = "#";

  private final Path file;
  private boolean edited;

  EditedFile() throws IOException {
    file = Files.createTempFile("sluice-edit-", ".yaml");
  }

  Path path() {
    return file;
  }

  /** Whether the file has a text that the editor changed. */
  boolean edited() {
    return edited;
  }

  /**
   * Opens the editor and waits for its end.
   *
   * @param header text for comments above the text
   * @return the text after the edit, without the comments above it
   */
  String edit(String header, String text) throws IOException, InterruptedException {
    String comments =
        header
            .lines()
            .map(line -> (COMMENT + " " + line).strip())
            .collect(Collectors.joining("\n"));
    Files.writeString(file, comments + "\n" + text);
    String editor = editor();
    int code =
        new ProcessBuilder("sh", "-c", editor + " \"$1\"", "sh", file.toString())
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new ClientException(
          "the editor \"%s\" ended with exit code %d; nothing was saved".formatted(editor, code));
    }
    String changed =
        Files.readString(file)
            .lines()
            .dropWhile(line -> line.startsWith(COMMENT))
            .map(line -> line + "\n")
            .collect(Collectors.joining());
    edited |= !changed.equals(text);
    return changed;
  }

  private static String editor() {
    String visual = given("VISUAL");
    String editor = visual == null ? given("EDITOR") : visual;
    return editor == null ? "vi" : editor;
  }

  private static @Nullable String given(String variable) {
    String value = System.getenv(variable);
    return value == null || value.isBlank() ? null : value;
  }

  void delete() throws IOException {
    Files.deleteIfExists(file);
  }
}
