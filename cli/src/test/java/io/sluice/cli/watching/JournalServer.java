// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.watching;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.cli.client.ServerAddress;
import io.sluice.cli.client.ServerClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server with jobs and a journal of their changes, which can be restarted on another port
 * and made to fail. It has the lists and the waiting pages of events of the real one.
 */
public final class JournalServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ExecutorService threads = Executors.newCachedThreadPool();

  // Guarded by this.
  private final Map<String, ObjectNode> jobs = new LinkedHashMap<>();
  private final Map<String, Handler> handlers = new LinkedHashMap<>();
  private final List<ObjectNode> events = new ArrayList<>();
  private final List<String> requests = new ArrayList<>();
  private final List<String> answered = new ArrayList<>();
  private long sequence = 100;
  private long oldest;
  private int cuts;
  private int unavailable;
  private boolean withoutEvents;
  private boolean ending;
  private boolean closed;
  private HttpServer server;
  private URI url;

  /** Answers the requests of a path. */
  public interface Handler {
    void answer(HttpExchange exchange) throws IOException;
  }

  /** Starts a server. */
  public JournalServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    url = open();
  }

  private URI open() {
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Ends the connections, and continues on another port. */
  public void restart() throws IOException {
    stop();
    HttpServer next =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    synchronized (this) {
      ending = false;
      server = next;
      url = open();
    }
  }

  private void stop() {
    HttpServer old;
    synchronized (this) {
      old = server;
      ending = true;
      notifyAll();
    }
    old.stop(0);
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    stop();
    threads.shutdownNow();
  }

  public synchronized URI url() {
    return url;
  }

  public ServerClient client() {
    return new ServerClient(new ServerAddress(url(), null));
  }

  /** Announces the server in a data directory, as a server does when it is ready. */
  public void announce(Path data) throws IOException {
    String address = "{\"url\":\"%s\",\"pid\":%d}".formatted(url(), ProcessHandle.current().pid());
    Path written = Files.writeString(data.resolve("server.json.new"), address);
    Files.move(written, data.resolve("server.json"), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Changes the state of a job, which is created if it is absent, with an event. */
  public synchronized void job(String id, String state) {
    ObjectNode job = jobs.computeIfAbsent(id, JournalServer::newJob);
    job.withObject("/status").put("state", state).put("reason", "because");
    event(id, "Job", state);
  }

  /** Deletes a job, without an event. */
  public synchronized void delete(String id) {
    jobs.remove(id);
  }

  private static ObjectNode newJob(String id) {
    ObjectNode job = JSON.createObjectNode().put("id", id);
    job.put("apiVersion", "sluice.io/v1").put("kind", "Job").put("id", id);
    job.putObject("metadata").put("name", id).put("namespace", "team");
    job.putObject("spec").put("queue", "main");
    job.putObject("status")
        .put("clusterQueue", "cpus")
        .put("priority", 0)
        .put("preemptible", false)
        .put("attempts", 0)
        .put("createdAt", "2026-11-22T12:00:00Z");
    return job;
  }

  /**
   * Appends an event.
   *
   * @param state null: no change of state
   */
  public synchronized void event(String job, String kind, @Nullable String state) {
    sequence++;
    ObjectNode event =
        JSON.createObjectNode()
            .put("id", sequence + ".0")
            .put("sequence", sequence)
            .put("position", 0)
            .put("at", "2026-11-22T12:00:00Z")
            .put("kind", kind + "Changed")
            .put("text", kind + " is " + state);
    ObjectNode object = event.putObject("object").put("kind", kind);
    if (state != null) {
      object.put("state", state);
    }
    event.putObject("job").put("id", job);
    events.add(event);
    notifyAll();
  }

  /** Answers the requests of a path otherwise. */
  public synchronized void handle(String path, Handler handler) {
    handlers.put(path, handler);
  }

  /** Ends the connections of the next requests without an answer. */
  public synchronized void cut(int count) {
    cuts = count;
  }

  /** Answers the next requests with a 503. */
  public synchronized void refuse(int count) {
    unavailable = count;
  }

  /** Deletes the events up to now. */
  public synchronized void deleteEvents() {
    oldest = sequence;
    sequence++;
  }

  /** Behaves as a version that cannot be watched. */
  public synchronized void withoutEvents() {
    withoutEvents = true;
  }

  /** Returns the requests that match, each as its path and query. */
  public synchronized List<String> requests(Predicate<String> matching) {
    return requests.stream().filter(matching).toList();
  }

  /** Waits until so many requests have matched. */
  public synchronized void awaitRequests(int count, Predicate<String> matching)
      throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (requests(matching).size() < count) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("only these requests came: " + requests);
      }
      wait(100);
    }
  }

  /** Returns the requests that match and have an answer. */
  public synchronized List<String> answered(Predicate<String> matching) {
    return answered.stream().filter(matching).toList();
  }

  /** Waits until so many requests that match have an answer, which later changes do not touch. */
  public synchronized void awaitAnswers(int count, Predicate<String> matching)
      throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (answered(matching).size() < count) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("only these requests were answered: " + answered);
      }
      wait(100);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Handler handler;
    synchronized (this) {
      requests.add(exchange.getRequestURI().toString());
      notifyAll();
      if (cuts > 0) {
        cuts--;
        throw new IOException("cut");
      }
      if (unavailable > 0) {
        unavailable--;
        send(exchange, 503, "{\"detail\":\"starts\"}");
        return;
      }
      handler = handlers.get(path);
    }
    if (handler != null) {
      handler.answer(exchange);
    } else if (path.equals("/v1/events")) {
      events(exchange, parameters(exchange));
    } else if (path.equals("/v1/jobs")) {
      list(exchange, parameters(exchange));
    } else if (path.startsWith("/v1/jobs/")) {
      job(exchange, path.substring("/v1/jobs/".length()));
    } else {
      send(exchange, 404, "{\"detail\":\"there is no %s\"}".formatted(path));
    }
    synchronized (this) {
      answered.add(exchange.getRequestURI().toString());
      notifyAll();
    }
  }

  private synchronized void list(HttpExchange exchange, Map<String, String> parameters)
      throws IOException {
    ObjectNode page = JSON.createObjectNode();
    ArrayNode items = page.putArray("items");
    String state = parameters.get("state");
    for (ObjectNode job : jobs.values()) {
      if (state == null || job.at("/status/state").asText().equals(state)) {
        items.add(job);
      }
    }
    exchange.getResponseHeaders().set("Sluice-Sequence", Long.toString(sequence));
    send(exchange, 200, page.toString());
  }

  private synchronized void job(HttpExchange exchange, String id) throws IOException {
    ObjectNode job = jobs.get(id);
    exchange.getResponseHeaders().set("Sluice-Sequence", Long.toString(sequence));
    send(exchange, job == null ? 404 : 200, job == null ? "{\"detail\":\"none\"}" : job.toString());
  }

  private synchronized void events(HttpExchange exchange, Map<String, String> parameters)
      throws IOException {
    String after = parameters.get("after");
    if (withoutEvents) {
      send(exchange, 404, "{\"detail\":\"no such resource\"}");
      return;
    }
    if (after == null) {
      send(exchange, 200, page(List.of(), Long.toString(sequence)));
      return;
    }
    long from = Long.parseLong(after.split("\\.", -1)[0]);
    if (from < oldest || from > sequence) {
      send(exchange, 410, "{\"detail\":\"deleted\"}");
      return;
    }
    long wait = Long.parseLong(parameters.getOrDefault("wait", "0ms").replace("ms", ""));
    long deadline = System.nanoTime() + Duration.ofMillis(wait).toNanos();
    String job = parameters.get("job");
    List<ObjectNode> found = after(from, job);
    while (found.isEmpty() && !ending && System.nanoTime() < deadline) {
      try {
        wait(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
      } catch (InterruptedException ended) {
        throw new IOException("the server ends", ended);
      }
      found = after(from, job);
    }
    if (ending) {
      throw new IOException("the server ends");
    }
    send(exchange, 200, page(found, Long.toString(sequence)));
  }

  private List<ObjectNode> after(long from, @Nullable String job) {
    return events.stream()
        .filter(event -> event.path("sequence").asLong() > from)
        .filter(event -> job == null || job.equals(event.at("/job/id").asText()))
        .toList();
  }

  private static String page(List<ObjectNode> items, String nextAfter) {
    ObjectNode page = JSON.createObjectNode();
    page.putArray("items").addAll(items);
    return page.put("nextAfter", nextAfter).toString();
  }

  private static Map<String, String> parameters(HttpExchange exchange) {
    Map<String, String> parameters = new LinkedHashMap<>();
    String query = exchange.getRequestURI().getRawQuery();
    if (query != null) {
      for (String one : query.split("&", -1)) {
        int equals = one.indexOf('=');
        parameters.put(
            one.substring(0, equals),
            URLDecoder.decode(one.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return parameters;
  }

  /** Answers with JSON. */
  public static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Parses JSON in which apostrophes stand for quotes. */
  public static JsonNode json(String text) throws IOException {
    return JSON.readTree(text.replace('\'', '"'));
  }
}
