// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A server's REST interface. Every call that is no stream ends within a bound. */
public final class ServerClient {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final int OK_MIN = 200;
  private static final int OK_MAX = 299;
  private static final int UNAVAILABLE = 503;
  private static final int TRIES_MAX = 4;
  private static final Duration RETRY = Duration.ofMillis(400);
  private static final int PAGES_MAX = 10_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ServerAddress server;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build();

  public ServerClient(ServerAddress server) {
    this.server = server;
  }

  public URI server() {
    return server.url();
  }

  /** Text as a part of a path or query. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** A path with a query of those parameters that have a value. */
  public static String query(String path, Map<String, @Nullable String> parameters) {
    StringBuilder query = new StringBuilder(path);
    char separator = '?';
    for (Map.Entry<String, @Nullable String> parameter : parameters.entrySet()) {
      String value = parameter.getValue();
      if (value != null) {
        query.append(separator).append(parameter.getKey()).append('=').append(encode(value));
        separator = '&';
      }
    }
    return query.toString();
  }

  public JsonNode get(String path) {
    return json(send(request(path).GET(), path));
  }

  /** All items of a list, page by page; no more than asked for. */
  public List<JsonNode> list(String path, int most) {
    List<JsonNode> items = new ArrayList<>();
    String cursor = null;
    for (int page = 0; page < PAGES_MAX && items.size() < most; page++) {
      String separator = path.contains("?") ? "&" : "?";
      JsonNode answer = get(cursor == null ? path : path + separator + "cursor=" + encode(cursor));
      answer.path("items").forEach(items::add);
      cursor = answer.path("nextCursor").asText(null);
      if (cursor == null) {
        break;
      }
    }
    return items.subList(0, Math.min(most, items.size()));
  }

  /**
   * Posts something that may be sent again without harm because of its key.
   *
   * @param key null: one is made for this call
   */
  public JsonNode postIdempotent(String path, byte[] body, @Nullable String key) {
    String used = key == null ? UUID.randomUUID().toString() : key;
    for (int attempt = 1; ; attempt++) {
      try {
        return json(
            send(
                request(path)
                    .header("Idempotency-Key", used)
                    .POST(BodyPublishers.ofByteArray(body)),
                path));
      } catch (RefusedException refused) {
        if (refused.status() != UNAVAILABLE || attempt == TRIES_MAX) {
          throw refused;
        }
      } catch (UnreachableException unreachable) {
        if (attempt == TRIES_MAX) {
          throw unreachable;
        }
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ClientException("interrupted");
    }
  }

  public JsonNode post(String path) {
    return json(send(request(path).POST(BodyPublishers.noBody()), path));
  }

  public JsonNode put(String path, byte[] body) {
    return json(send(request(path).PUT(BodyPublishers.ofByteArray(body)), path));
  }

  public void delete(String path) {
    json(send(request(path).DELETE(), path));
  }

  /** An answer that comes bit by bit; it has no bound in time. */
  public InputStream stream(String path) {
    HttpRequest request = addressed(path).GET().build();
    try {
      HttpResponse<InputStream> answer = http.send(request, BodyHandlers.ofInputStream());
      if (answer.statusCode() > OK_MAX) {
        byte[] body = answer.body().readAllBytes();
        throw new RefusedException(
            answer.statusCode(), parse(new String(body, StandardCharsets.UTF_8)));
      }
      return answer.body();
    } catch (IOException failure) {
      throw unreachable(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ClientException("interrupted");
    }
  }

  private HttpRequest.Builder request(String path) {
    return addressed(path).timeout(ANSWER);
  }

  private HttpRequest.Builder addressed(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.url().resolve(path));
    return server.token() == null
        ? request
        : request.header("Authorization", "Bearer " + server.token());
  }

  private HttpResponse<String> send(HttpRequest.Builder request, String path) {
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException failure) {
      throw unreachable(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ClientException("interrupted while waiting for " + path);
    }
  }

  private UnreachableException unreachable(IOException failure) {
    String reason = failure.getMessage() == null ? "" : ": " + failure.getMessage();
    return new UnreachableException(
        "no server answers at "
            + server
            + reason
            + ". Start one with ./sluice up, or name it with --server.");
  }

  private static JsonNode json(HttpResponse<String> answer) {
    JsonNode body = parse(answer.body());
    if (answer.statusCode() < OK_MIN || answer.statusCode() > OK_MAX) {
      throw new RefusedException(answer.statusCode(), body);
    }
    return body;
  }

  private static JsonNode parse(String body) {
    try {
      return body.isBlank() ? JSON.createObjectNode() : JSON.readTree(body);
    } catch (JsonProcessingException notJson) {
      return JSON.createObjectNode().put("detail", body.strip());
    }
  }
}
