// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a server answers. */
public final class ServerAddress {
  private static final String DEFAULT = "http://127.0.0.1:7411";
  private static final String ADDRESS_FILE = "server.json";
  private static final String ENVIRONMENT = "SLUICE_SERVER";

  private ServerAddress() {}

  /**
   * The address to use: as given, by the environment, by the data directory of a server on this
   * machine, or the default.
   *
   * @param url as given; null: not
   * @param data directory of a server on this machine; null: the default one
   */
  public static URI find(@Nullable URI url, @Nullable Path data) {
    if (url != null) {
      return url;
    }
    String environment = System.getenv(ENVIRONMENT);
    if (data == null && environment != null && !environment.isBlank()) {
      return URI.create(environment);
    }
    URI announced = announced(data == null ? defaultData() : data);
    if (announced != null) {
      return announced;
    }
    if (data != null) {
      throw new ClientException("no server runs on the data directory " + data);
    }
    return URI.create(DEFAULT);
  }

  /** Where a server that lives says it answers; null if none does. */
  public static @Nullable URI announced(Path data) {
    Path file = data.resolve(ADDRESS_FILE);
    try {
      if (!Files.isReadable(file)) {
        return null;
      }
      JsonNode address = new ObjectMapper().readTree(file.toFile());
      boolean alive = ProcessHandle.of(address.path("pid").asLong(-1)).isPresent();
      return alive ? URI.create(address.path("url").asText()) : null;
    } catch (IOException unreadable) {
      return null;
    }
  }

  private static Path defaultData() {
    return "root".equals(System.getProperty("user.name"))
        ? Path.of("/var/lib/sluice")
        : Path.of(System.getProperty("user.home"), ".local", "share", "sluice");
  }
}
