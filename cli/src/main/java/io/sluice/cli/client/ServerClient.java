// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A client of the server's REST API. Every wait for an answer is bounded, except for streams.
 *
 * <p>It uses {@link HttpURLConnection}: the JDK's newer client starts threads, for which the JVM
 * waits 0.3 s at exit, and loads TLS, which commands to this machine do not need.
 */
public final class ServerClient {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final int OK_MIN = 200;
  private static final int OK_MAX = 299;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;
  private static final int TRIES_MAX = 4;
  private static final Duration RETRY = Duration.ofMillis(400);

  /** A request that is refused for its rate is repeated if it need not wait for longer. */
  private static final Duration RATE_WAIT_MAX = Duration.ofSeconds(5);

  private static final int PAGES_MAX = 10_000;
  private static final String SEQUENCE = "Sluice-Sequence";
  private static final byte[] NOTHING = {};
  private static final ObjectMapper JSON = new ObjectMapper();

  static {
    // A POST without an answer may have taken effect, so this class decides about repeating it.
    System.setProperty("sun.net.http.retryPost", "false");
  }

  private volatile ServerAddress server;

  public ServerClient(ServerAddress server) {
    this.server = server;
  }

  public URI server() {
    return server.url();
  }

  /**
   * Looks up the address of the server again, if a data directory named it: a restarted server may
   * listen on another port.
   */
  public void relocate() {
    server = server.current();
  }

  /** Encodes text as a part of a path or query. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Returns a path with a query of those parameters that have a value. */
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

  /** Returns an answer as the server wrote it. */
  public JsonNode get(String path) {
    return json(send("GET", path, null, Map.of()));
  }

  /**
   * Returns an answer as its record.
   *
   * @throws UnexpectedAnswerException if it does not fit the record; so do all methods with a type
   */
  public <T> T get(String path, Class<T> type) {
    return JsonRecords.read(get(path), type, path);
  }

  /**
   * An answer with its place in the journal.
   *
   * @param sequence the last batch that it reflects for certain, from which a client can watch;
   *     null: the endpoint does not tell
   */
  public record Sequenced(JsonNode body, @Nullable String sequence) {}

  /** Returns the answer with its place in the journal. */
  public Sequenced getSequenced(String path) {
    return getSequenced(path, ANSWER);
  }

  /**
   * Returns the answer with its place in the journal.
   *
   * @param answerMax how long to wait for the answer
   */
  public Sequenced getSequenced(String path, Duration answerMax) {
    Answer answer = send("GET", path, null, Map.of(), answerMax);
    return new Sequenced(json(answer), answer.sequence());
  }

  /**
   * One object.
   *
   * @param tag its entity tag; null: objects of the kind have none
   */
  public record Tagged(JsonNode body, @Nullable String tag) {}

  /** Returns one object with its entity tag. */
  public Tagged getTagged(String path) {
    Answer answer = send("GET", path, null, Map.of());
    return new Tagged(json(answer), answer.tag());
  }

  /** Returns the items of a list as records, page by page, up to a maximum. */
  public <T> List<T> list(String path, int most, Class<T> type) {
    return listing(path, most, item -> true).as(type);
  }

  /**
   * The first items of a list, as the server wrote them.
   *
   * @param path path of the list
   * @param more whether there are more items
   * @param warnings the server's warnings about the list
   * @param sequence of the first page, as of {@link Sequenced}
   */
  public record Listing(
      String path,
      List<JsonNode> items,
      boolean more,
      List<String> warnings,
      @Nullable String sequence) {
    public Listing {
      items = List.copyOf(items);
      warnings = List.copyOf(warnings);
    }

    /** Creates a listing of an endpoint that does not tell its sequence. */
    public Listing(String path, List<JsonNode> items, boolean more, List<String> warnings) {
      this(path, items, more, warnings, null);
    }

    /**
     * Returns the items as records.
     *
     * @throws UnexpectedAnswerException if one does not fit the record
     */
    public <T> List<T> as(Class<T> type) {
      return items.stream().map(item -> JsonRecords.read(item, type, path)).toList();
    }
  }

  /**
   * Returns the first items of a list that pass a filter, reading as many pages as needed.
   *
   * @param most the most items to return
   */
  public Listing listing(String path, int most, Predicate<JsonNode> filter) {
    List<JsonNode> items = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    String sequence = null;
    String cursor = null;
    for (int page = 0; page < PAGES_MAX; page++) {
      String separator = path.contains("?") ? "&" : "?";
      Sequenced read =
          getSequenced(cursor == null ? path : path + separator + "cursor=" + encode(cursor));
      JsonNode answer = read.body();
      sequence = page == 0 ? read.sequence() : sequence;
      answer.path("warnings").forEach(warning -> warnings.add(warning.asText()));
      JsonNode ofPage = answer.path("items");
      if (!ofPage.isArray()) {
        throw new UnexpectedAnswerException(path, "items", "it is not a list");
      }
      for (JsonNode item : ofPage) {
        if (filter.test(item)) {
          items.add(item);
        }
      }
      cursor = answer.path("nextCursor").asText(null);
      if (cursor == null || items.size() >= most) {
        break;
      }
    }
    return new Listing(
        path,
        items.subList(0, Math.min(most, items.size())),
        cursor != null || items.size() > most,
        warnings,
        sequence);
  }

  /**
   * Posts a request that the idempotency key makes safe to repeat.
   *
   * @param key null: this call generates one
   */
  public JsonNode postIdempotent(String path, byte[] body, @Nullable String key) {
    String used = key == null ? UUID.randomUUID().toString() : key;
    for (int attempt = 1; ; attempt++) {
      try {
        return json(send("POST", path, body, Map.of("Idempotency-Key", used)));
      } catch (RefusedException refused) {
        if (refused.status() != UNAVAILABLE || attempt == TRIES_MAX) {
          throw refused;
        }
      } catch (UnreachableException unreachable) {
        if (attempt == TRIES_MAX) {
          throw unreachable;
        }
      }
      pause(RETRY);
    }
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ClientException("interrupted");
    }
  }

  /** Posts as {@link #postIdempotent(String, byte[], String)} does; returns a record. */
  public <T> T postIdempotent(String path, byte[] body, @Nullable String key, Class<T> type) {
    return JsonRecords.read(postIdempotent(path, body, key), type, path);
  }

  /** Posts a request without a body. */
  public JsonNode post(String path) {
    return json(send("POST", path, NOTHING, Map.of()));
  }

  /** Posts a request that changes nothing; it is not repeated. */
  public JsonNode post(String path, byte[] body) {
    return json(send("POST", path, body, Map.of()));
  }

  /** Posts a request without a body; returns a record. */
  public <T> T post(String path, Class<T> type) {
    return JsonRecords.read(post(path), type, path);
  }

  /** Puts without a body what the query says; returns a record. */
  public <T> T put(String path, Class<T> type) {
    return JsonRecords.read(json(send("PUT", path, NOTHING, Map.of())), type, path);
  }

  /** Puts an object if it still has an entity tag; otherwise the refusal has status 412. */
  public JsonNode putIfMatch(String path, byte[] body, String tag) {
    return json(send("PUT", path, body, Map.of("If-Match", tag)));
  }

  /** Sends DELETE; the answer is empty unless the path asks for a dry run. */
  public JsonNode delete(String path) {
    return json(send("DELETE", path, null, Map.of()));
  }

  /** Sends DELETE for a dry run; returns a record. */
  public <T> T delete(String path, Class<T> type) {
    return JsonRecords.read(delete(path), type, path);
  }

  /** Returns a streamed answer, whose duration has no bound. */
  public InputStream stream(String path) {
    return stream(path, Duration.ZERO);
  }

  /**
   * Returns a streamed answer.
   *
   * @param quietMax a read that gets nothing for so long throws {@link
   *     java.net.SocketTimeoutException}, after which the stream can be read on; zero: no bound
   */
  public InputStream stream(String path, Duration quietMax) {
    try {
      HttpURLConnection connection = open("GET", path);
      connection.setReadTimeout((int) quietMax.toMillis());
      for (int tries = 1; tries < TRIES_MAX && waited(connection); tries++) {
        connection = open("GET", path);
        connection.setReadTimeout((int) quietMax.toMillis());
      }
      if (connection.getResponseCode() > OK_MAX) {
        throw new RefusedException(connection.getResponseCode(), parse(body(connection)));
      }
      return connection.getInputStream();
    } catch (IOException failure) {
      throw unreachable(failure);
    }
  }

  private HttpURLConnection open(String method, String path) throws IOException {
    // Read once: a token goes only to the address that it belongs to.
    ServerAddress asked = server;
    URI url = asked.url().resolve(path);
    HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
    connection.setRequestMethod(method);
    connection.setInstanceFollowRedirects(false);
    connection.setConnectTimeout((int) CONNECT.toMillis());
    connection.setReadTimeout((int) ANSWER.toMillis());
    connection.setRequestProperty("Accept", "*/*");
    if (asked.trust() != null && connection instanceof HttpsURLConnection tls) {
      asked.trust().secure(tls);
    }
    if (asked.token() != null) {
      connection.setRequestProperty("Authorization", "Bearer " + asked.token());
    }
    return connection;
  }

  /** A server's answer. */
  private record Answer(int status, String body, @Nullable String tag, @Nullable String sequence) {}

  private Answer send(
      String method, String path, byte @Nullable [] body, Map<String, String> headers) {
    return send(method, path, body, headers, ANSWER);
  }

  private Answer send(
      String method,
      String path,
      byte @Nullable [] body,
      Map<String, String> headers,
      Duration answerMax) {
    try {
      HttpURLConnection connection = sent(method, path, body, headers, answerMax);
      for (int tries = 1; tries < TRIES_MAX && waited(connection); tries++) {
        connection = sent(method, path, body, headers, answerMax);
      }
      int status = connection.getResponseCode();
      return new Answer(
          status,
          body(connection),
          connection.getHeaderField("ETag"),
          connection.getHeaderField(SEQUENCE));
    } catch (IOException failure) {
      throw unreachable(failure);
    }
  }

  private HttpURLConnection sent(
      String method,
      String path,
      byte @Nullable [] body,
      Map<String, String> headers,
      Duration answerMax)
      throws IOException {
    HttpURLConnection connection = open(method, path);
    connection.setReadTimeout((int) answerMax.toMillis());
    headers.forEach(connection::setRequestProperty);
    if (body != null) {
      connection.setRequestProperty("Content-Type", "application/yaml");
      connection.setDoOutput(true);
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body);
      }
    }
    return connection;
  }

  /**
   * Waits if the server has refused a request for its rate, and has done nothing: then the request
   * may be repeated, whatever its method. Returns whether it waited.
   */
  private static boolean waited(HttpURLConnection connection) throws IOException {
    if (connection.getResponseCode() != TOO_MANY) {
      return false;
    }
    Duration wait = Duration.ofSeconds(connection.getHeaderFieldLong("Retry-After", -1));
    if (wait.isNegative() || wait.compareTo(RATE_WAIT_MAX) > 0) {
      return false;
    }
    body(connection);
    pause(wait);
    return true;
  }

  private static String body(HttpURLConnection connection) throws IOException {
    InputStream answer =
        connection.getResponseCode() > OK_MAX
            ? connection.getErrorStream()
            : connection.getInputStream();
    if (answer == null) {
      return "";
    }
    try (answer) {
      return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private UnreachableException unreachable(IOException failure) {
    String reason = failure.getMessage() == null ? "" : ": " + failure.getMessage();
    Path data = server.data();
    if (failure instanceof SSLException) {
      return new UnreachableException(
          "no trusted connection to %s%s. If an authority of your own signed its certificate, name"
                  .formatted(server, reason)
              + " the authority's certificate with --ca-file or SLUICE_CA_FILE.");
    }
    if (data == null) {
      return new UnreachableException(
          "no server answers at %s%s. Start one with ./sluice up, or name another with --server."
              .formatted(server, reason));
    }
    boolean announced = ServerAddress.announced(data) != null;
    return new UnreachableException(
        announced
            ? "the server of the data directory %s does not answer at %s%s"
                .formatted(data, server, reason)
            : "no server runs on the data directory %s, and none answers at %s%s. Start one with"
                    .formatted(data, server, reason)
                + " ./sluice up, or name another with --data or --server.");
  }

  private static JsonNode json(Answer answer) {
    JsonNode body = parse(answer.body());
    if (answer.status() < OK_MIN || answer.status() > OK_MAX) {
      throw new RefusedException(answer.status(), body);
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
