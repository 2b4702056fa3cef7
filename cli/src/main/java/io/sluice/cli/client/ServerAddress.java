// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a server answers, and by which token it knows who calls.
 *
 * @param token null: none is known
 */
public record ServerAddress(URI url, @Nullable String token) {
  private static final URI DEFAULT = URI.create("http://127.0.0.1:7411");
  private static final String ADDRESS_FILE = "server.json";
  private static final String TOKEN_FILE = "token";
  private static final String SERVER = "SLUICE_SERVER";
  private static final String TOKEN = "SLUICE_TOKEN";
  private static final String DATA = "SLUICE_DATA";

  /** What a user said of the server; null: nothing. */
  public record Asked(@Nullable URI url, @Nullable Path data, @Nullable Path tokenFile) {}

  /**
   * The server to use: as asked for, by the environment, by the data directory of a server on this
   * machine, or the default.
   *
   * <p>The token of a data directory goes to the address that its own server announced, and nowhere
   * else.
   */
  public static ServerAddress find(Asked asked) {
    Path data = asked.data() == null ? path(DATA) : asked.data();
    ServerAddress announced = announced(data == null ? defaultData() : data);
    if (announced == null && asked.data() != null && asked.url() == null) {
      throw new ClientException("no server runs on the data directory " + asked.data());
    }
    URI url = asked.url();
    String environment = System.getenv(SERVER);
    if (url == null && asked.data() == null && environment != null && !environment.isBlank()) {
      url = URI.create(environment);
    }
    if (url == null) {
      url = announced == null ? DEFAULT : announced.url();
    }
    String token = given(asked.tokenFile());
    if (token == null && announced != null && announced.url().equals(url)) {
      token = announced.token();
    }
    return new ServerAddress(url, token);
  }

  private static @Nullable Path path(String variable) {
    String value = System.getenv(variable);
    return value == null || value.isBlank() ? null : Path.of(value);
  }

  private static @Nullable String given(@Nullable Path file) {
    if (file == null) {
      String environment = System.getenv(TOKEN);
      return environment == null || environment.isBlank() ? null : environment.strip();
    }
    try {
      return Files.readString(file, StandardCharsets.US_ASCII).strip();
    } catch (IOException unreadable) {
      throw new ClientException("cannot read the token in " + file);
    }
  }

  /** Where a server that lives says it answers; null if none does. */
  public static @Nullable ServerAddress announced(Path data) {
    Path file = data.resolve(ADDRESS_FILE);
    try {
      if (!Files.isReadable(file)) {
        return null;
      }
      JsonNode address = new ObjectMapper().readTree(file.toFile());
      boolean alive = ProcessHandle.of(address.path("pid").asLong(-1)).isPresent();
      return alive ? new ServerAddress(URI.create(address.path("url").asText()), own(data)) : null;
    } catch (IOException unreadable) {
      return null;
    }
  }

  private static @Nullable String own(Path data) throws IOException {
    Path file = data.resolve(TOKEN_FILE);
    return Files.isReadable(file)
        ? Files.readString(file, StandardCharsets.US_ASCII).strip()
        : null;
  }

  private static Path defaultData() {
    return "root".equals(System.getProperty("user.name"))
        ? Path.of("/var/lib/sluice")
        : Path.of(System.getProperty("user.home"), ".local", "share", "sluice");
  }

  /** Without the token, which is nobody's business. */
  @Override
  public String toString() {
    return url.toString();
  }
}
