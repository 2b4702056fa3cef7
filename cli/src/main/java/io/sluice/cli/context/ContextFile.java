// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.context;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.client.ClientException;
import io.sluice.manifests.ManifestWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code $XDG_CONFIG_HOME/sluice/config}, by default {@code ~/.config/sluice/config}. It
 * never holds a token, only the names of files with one.
 */
public final class ContextFile {
  private static final long BYTES_MAX = 1 << 20;

  private final Path file;

  public ContextFile(Path file) {
    this.file = file;
  }

  /** Returns the file of the user. */
  public static ContextFile ofUser(Map<String, String> environment) {
    String configured = environment.get("XDG_CONFIG_HOME");
    Path folder =
        configured == null || configured.isBlank() || !Path.of(configured).isAbsolute()
            ? Path.of(System.getProperty("user.home"), ".config")
            : Path.of(configured);
    return new ContextFile(folder.resolve("sluice").resolve("config"));
  }

  /** Returns the file's path. */
  public Path path() {
    return file;
  }

  /**
   * Reads the contexts; a file that does not exist has none.
   *
   * @throws ClientException if the file cannot be read or is wrong, naming the line
   */
  public Contexts read() {
    if (!Files.exists(file)) {
      return Contexts.NONE;
    }
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new ClientException(file + " is larger than 1 MiB");
      }
      return new ContextReader(file).parse(Files.readString(file));
    } catch (IOException failure) {
      throw new ClientException("cannot read " + file + ": " + failure.getMessage());
    }
  }

  /** Returns a path in the file: relative to its folder, and {@code ~/} means the home folder. */
  public Path resolve(String written) {
    if (written.startsWith("~/")) {
      return Path.of(System.getProperty("user.home"), written.substring(2));
    }
    return file.resolveSibling(written);
  }

  /**
   * Describes how others could read the context's token, or change which server gets it.
   *
   * @return null: they cannot, or the file system has no permissions
   */
  public @Nullable String exposure(Context context) {
    if (permissions(file).stream()
        .anyMatch(
            one ->
                one == PosixFilePermission.GROUP_WRITE
                    || one == PosixFilePermission.OTHERS_WRITE)) {
      return file + " can be changed by other users: chmod 600 " + file;
    }
    String written = context.tokenFile();
    if (written == null) {
      return null;
    }
    Path token = resolve(written);
    return permissions(token).stream()
            .anyMatch(
                one ->
                    one == PosixFilePermission.GROUP_READ || one == PosixFilePermission.OTHERS_READ)
        ? "the token in " + token + " can be read by other users: chmod 600 " + token
        : null;
  }

  private static Set<PosixFilePermission> permissions(Path path) {
    try {
      return hasPermissions() ? Files.getPosixFilePermissions(path) : Set.of();
    } catch (IOException gone) {
      return Set.of();
    }
  }

  private static boolean hasPermissions() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Replaces the file atomically; only its owner can read the new one.
   *
   * @throws ClientException if that fails; the old file then stays
   */
  public void write(Contexts contexts) {
    Path folder = file.toAbsolutePath().getParent();
    try {
      if (folder != null) {
        Files.createDirectories(folder, permission("rwx------"));
      }
      Path unfinished =
          file.resolveSibling("." + file.getFileName() + "." + ProcessHandle.current().pid());
      Files.deleteIfExists(unfinished);
      try {
        Files.createFile(unfinished, permission("rw-------"));
        Files.writeString(unfinished, text(contexts), StandardCharsets.UTF_8);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(unfinished);
      }
    } catch (IOException failure) {
      throw new ClientException("cannot write " + file + ": " + failure);
    }
  }

  private static FileAttribute<?>[] permission(String mode) {
    return hasPermissions()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }

  private static String text(Contexts contexts) {
    ObjectNode file = JsonNodeFactory.instance.objectNode();
    put(file, "current-context", contexts.current());
    ArrayNode list = file.putArray("contexts");
    for (Context one : contexts.all()) {
      ObjectNode context = list.addObject();
      put(context, "name", one.name());
      put(context, "server", one.server() == null ? null : one.server().toString());
      put(context, "data", one.data());
      put(context, "token-file", one.tokenFile());
      put(context, "ca-file", one.caFile());
      put(context, "namespace", one.namespace());
    }
    return ManifestWriter.writeYaml(file);
  }

  private static void put(ObjectNode json, String field, @Nullable String value) {
    if (value != null) {
      json.put(field, value);
    }
  }
}
