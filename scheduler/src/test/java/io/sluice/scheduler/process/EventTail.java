// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * A client that follows events as server-sent events. It connects again from its last id when it is
 * disconnected, and after each {@code most} events, wherever in a batch that is.
 */
public final class EventTail implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Supplier<String> url;
  private final String token;
  private final String query;
  private final int most;
  private final List<JsonNode> events = new CopyOnWriteArrayList<>();
  private final List<Integer> refusals = new CopyOnWriteArrayList<>();
  private final Thread thread = new Thread(this::run, "event-tail");
  private volatile String lastId = "";
  private volatile boolean closed;
  private volatile InputStream open = InputStream.nullInputStream();

  private EventTail(Supplier<String> url, String token, String query, int most) {
    this.url = url;
    this.token = token;
    this.query = query;
    this.most = most;
  }

  /**
   * Begins to follow, and waits until it has an id.
   *
   * @param url of the server to connect to, asked for each connection
   * @param most events for each connection
   */
  public static EventTail start(Supplier<String> url, String token, String query, int most)
      throws InterruptedException {
    EventTail tail = new EventTail(url, token, query, most);
    tail.thread.start();
    Instant deadline = Instant.now().plus(StartedServer.PATIENCE);
    while (tail.lastId.isEmpty()) {
      if (Instant.now().isAfter(deadline)) {
        tail.close();
        throw new AssertionError("no id, but " + tail.refusals + " of " + query);
      }
      Thread.sleep(10);
    }
    return tail;
  }

  private void run() {
    while (!closed) {
      try {
        follow();
      } catch (IOException away) {
        pause();
      } catch (InterruptedException interrupted) {
        closed = true;
      }
    }
  }

  private void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException interrupted) {
      closed = true;
    }
  }

  private void follow() throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url.get() + "/v1/events" + query))
            .header("Accept", "text/event-stream")
            .header("Authorization", "Bearer " + token);
    if (!lastId.isEmpty()) {
      request.header("Last-Event-ID", lastId);
    }
    HttpResponse<InputStream> answer = CLIENT.send(request.build(), BodyHandlers.ofInputStream());
    try (InputStream body = answer.body()) {
      open = body;
      if (answer.statusCode() == 200) {
        read(new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8)));
      } else {
        refusals.add(answer.statusCode());
        pause();
      }
    }
  }

  private void read(BufferedReader lines) throws IOException {
    String id = lastId;
    String data = "";
    int read = 0;
    String line = lines.readLine();
    while (line != null && !closed) {
      if (line.startsWith("id: ")) {
        id = line.substring("id: ".length());
      } else if (line.startsWith("data: ")) {
        data = line.substring("data: ".length());
      } else if (line.isEmpty()) {
        if (!data.isEmpty()) {
          events.add(JSON.readTree(data));
          data = "";
          read++;
        }
        lastId = id;
        if (read == most) {
          return;
        }
      }
      line = lines.readLine();
    }
  }

  /** Returns the events received so far. */
  public List<JsonNode> events() {
    return List.copyOf(events);
  }

  /** Returns the ids of the events received so far. */
  public List<String> ids() {
    return events.stream().map(event -> event.path("id").asText()).toList();
  }

  /** Returns the statuses other than 200. */
  public List<Integer> refusals() {
    return refusals;
  }

  public String lastId() {
    return lastId;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      open.close();
    } catch (IOException gone) {
      closed = true;
    }
  }
}
