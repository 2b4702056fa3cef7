// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.identity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.context.ContextFile;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The folder {@code sign-in} beside the user's file of contexts: a file for each server, which only
 * its owner can read.
 */
public final class SignInFolder {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;

  SignInFolder(Path folder) {
    this.folder = folder;
  }

  /** Returns the folder of the user. */
  public static SignInFolder ofUser(Map<String, String> environment) {
    return new SignInFolder(ContextFile.ofUser(environment).path().resolveSibling("sign-in"));
  }

  /** Returns the file of a server. */
  public Path file(URI server) {
    return folder.resolve(ServerClient.encode(server.toString()) + ".json");
  }

  /** Reads the sign-in at a server; null: there is none. */
  public @Nullable SavedSignIn read(URI server) {
    Path file = file(server);
    if (!Files.exists(file)) {
      return null;
    }
    try {
      SavedSignIn saved = JSON.readValue(file.toFile(), SavedSignIn.class);
      return server.toString().equals(saved.server()) ? saved : null;
    } catch (JsonProcessingException damaged) {
      throw new ClientException(file + " is damaged: sign in again with ./sluice login");
    } catch (IOException unreadable) {
      throw new ClientException("cannot read " + file + ": " + unreadable);
    }
  }

  /** Replaces the file of a server atomically. */
  public void write(SavedSignIn saved) {
    try {
      replace(file(URI.create(saved.server())), JSON.writeValueAsBytes(saved));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Replaces the page that leads a browser to a server; returns its file. */
  public Path writePage(String html) {
    Path file = folder.resolve("open.html");
    replace(file, html.getBytes(StandardCharsets.UTF_8));
    return file;
  }

  private void replace(Path file, byte[] content) {
    Path unfinished =
        file.resolveSibling("." + file.getFileName() + "." + ProcessHandle.current().pid());
    try {
      Files.createDirectories(folder, permission("rwx------"));
      Files.deleteIfExists(unfinished);
      try {
        Files.createFile(unfinished, permission("rw-------"));
        Files.write(unfinished, content);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(unfinished);
      }
    } catch (IOException failure) {
      throw new ClientException("cannot write " + file + ": " + failure);
    }
  }

  /** Removes the file of a server; returns whether there was one. */
  public boolean remove(URI server) {
    try {
      return Files.deleteIfExists(file(server));
    } catch (IOException failure) {
      throw new ClientException("cannot remove " + file(server) + ": " + failure);
    }
  }

  /**
   * Returns the token for a server, refreshed if it expires; null: the user is not signed in there.
   * Commands that refresh it at the same time wait for each other, because a provider may accept a
   * refresh token once only.
   */
  public @Nullable String token(URI server, Instant now) {
    SavedSignIn saved = read(server);
    if (saved == null || !saved.isStale(now)) {
      return saved == null ? null : saved.idToken();
    }
    Path lock = folder.resolve("lock");
    try (FileChannel channel =
        FileChannel.open(
            lock,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            permission("rw-------"))) {
      channel.lock(); // released with the channel
      SavedSignIn current = read(server);
      if (current != null && current.isStale(now)) {
        current = refreshed(current);
        write(current);
      }
      return current == null ? null : current.idToken();
    } catch (IOException failure) {
      throw new ClientException("cannot lock " + lock + ": " + failure);
    }
  }

  private static SavedSignIn refreshed(SavedSignIn saved) {
    String token = saved.refreshToken();
    if (token == null) {
      throw new ClientException(
          "the sign-in at %s has expired: sign in again with ./sluice login"
              .formatted(saved.server()));
    }
    JsonNode answer =
        ProviderClient.post(
            saved.tokenEndpoint(),
            Map.of(
                "grant_type",
                "refresh_token",
                "refresh_token",
                token,
                "client_id",
                saved.clientId()));
    if (answer.has("error")) {
      throw new ClientException(
          "the identity provider does not refresh the sign-in at %s (%s): sign in again with ./sluice login"
              .formatted(saved.server(), answer.path("error").asText()));
    }
    return DeviceFlow.saved(
        saved.server(), saved.issuer(), saved.clientId(), saved.tokenEndpoint(), token, answer);
  }

  private static FileAttribute<?>[] permission(String mode) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }
}
