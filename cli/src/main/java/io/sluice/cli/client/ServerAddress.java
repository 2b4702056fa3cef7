// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a server, the caller's token, and the certificates to trust.
 *
 * @param token null: no token
 * @param data the data directory that named the server; null: its URL was given
 * @param trust null: certificates of the authorities that the JDK knows
 */
public record ServerAddress(
    URI url, @Nullable String token, @Nullable Path data, @Nullable ServerTrust trust) {
  private static final URI DEFAULT = URI.create("http://127.0.0.1:7411");
  private static final String ADDRESS_FILE = "server.json";
  private static final String TOKEN_FILE = "token";
  private static final String CERTIFICATES_FILE = "server.crt";
  private static final String SERVER = "SLUICE_SERVER";
  private static final String TOKEN = "SLUICE_TOKEN";
  private static final String DATA = "SLUICE_DATA";
  private static final String CA_FILE = "SLUICE_CA_FILE";

  /** The user's choice of a server; null: not given. */
  public record Asked(
      @Nullable URI url,
      @Nullable Path data,
      @Nullable Path tokenFile,
      @Nullable Path authorities) {}

  /** Creates the address of a server that was given by its URL. */
  public ServerAddress(URI url, @Nullable String token) {
    this(url, token, null, null);
  }

  /**
   * Finds the server: from the options, the environment, a data directory on this machine, or the
   * default. Waits for a server that is starting on the directory.
   *
   * <p>The token of a data directory is sent only to the address that its own server announced.
   */
  public static ServerAddress find(Asked asked) {
    return find(asked, System.getenv(), StartingServer.PATIENCE);
  }

  static ServerAddress find(Asked asked, Map<String, String> environment, Duration patience) {
    Path named = asked.data() == null ? path(environment, DATA) : asked.data();
    Path data = named == null ? defaultData() : named;
    URI url = asked.url();
    String other = environment.get(SERVER);
    if (url == null && asked.data() == null && other != null && !other.isBlank()) {
      url = URI.create(other);
    }
    String token = given(asked.tokenFile(), environment);
    ServerAddress announced =
        url == null ? new StartingServer(data).await(patience) : announced(data);
    ServerTrust trust = authorities(asked.authorities(), environment);
    if (url != null) {
      ServerAddress own = announced != null && announced.url().equals(url) ? announced : null;
      return new ServerAddress(
          url,
          token == null && own != null ? own.token() : token,
          null,
          trust == null && own != null ? own.trust() : trust);
    }
    if (announced == null && named != null) {
      throw new UnreachableException(
          "no server runs on the data directory %s. Start one with ./sluice up --data %s, or name"
                  .formatted(data, data)
              + " another with --data or --server.");
    }
    return announced == null
        ? new ServerAddress(DEFAULT, token, data, trust)
        : announced.with(token, trust);
  }

  /** Returns this address with a token and certificates in place of its own, if they are given. */
  private ServerAddress with(@Nullable String given, @Nullable ServerTrust authorities) {
    return new ServerAddress(
        url, given == null ? token : given, data, authorities == null ? trust : authorities);
  }

  /** Returns this address with another token; null: without one. */
  public ServerAddress withToken(@Nullable String other) {
    return new ServerAddress(url, other, data, trust);
  }

  private static @Nullable ServerTrust authorities(
      @Nullable Path asked, Map<String, String> environment) {
    Path file = asked == null ? path(environment, CA_FILE) : asked;
    return file == null ? null : ServerTrust.ofAuthorities(file);
  }

  private static @Nullable Path path(Map<String, String> environment, String variable) {
    String value = environment.get(variable);
    return value == null || value.isBlank() ? null : Path.of(value);
  }

  private static @Nullable String given(@Nullable Path file, Map<String, String> environment) {
    if (file == null) {
      String value = environment.get(TOKEN);
      return value == null || value.isBlank() ? null : value.strip();
    }
    try {
      return Files.readString(file, StandardCharsets.US_ASCII).strip();
    } catch (IOException unreadable) {
      throw new ClientException("cannot read the token in " + file);
    }
  }

  /**
   * Returns the address that a live server announced in a data directory; null if there is none.
   */
  public static @Nullable ServerAddress announced(Path data) {
    Path file = data.resolve(ADDRESS_FILE);
    try {
      if (!Files.isReadable(file)) {
        return null;
      }
      JsonNode address = new ObjectMapper().readTree(file.toFile());
      boolean alive = ProcessHandle.of(address.path("pid").asLong(-1)).isPresent();
      Path known = data.resolve(CERTIFICATES_FILE);
      return alive
          ? new ServerAddress(
              URI.create(address.path("url").asText()),
              own(data),
              data,
              Files.isReadable(known) ? ServerTrust.ofServer(known) : null)
          : null;
    } catch (IOException unreadable) {
      return null;
    }
  }

  /**
   * Returns the address that the server of the data directory announces now; this one if its URL
   * was given, or if no live server announces itself.
   */
  ServerAddress current() {
    ServerAddress announced = data == null ? null : announced(data);
    if (announced == null) {
      return this;
    }
    return announced.with(token, trust == null || trust.isExact() ? null : trust);
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

  /** Omits the token, which is secret. */
  @Override
  public String toString() {
    return url.toString();
  }
}
