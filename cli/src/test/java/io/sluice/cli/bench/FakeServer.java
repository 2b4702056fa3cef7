// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server of which a run sees what it sees of a real one. Each job is admitted at its creation,
 * runs for no time, and succeeds; a job of the class {@code large} is preempted once before.
 */
final class FakeServer implements AutoCloseable {
  private static final Pattern AFTER = Pattern.compile("after=([0-9]+)");
  private static final int EVENTS_PER_PAGE = 7;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  // Guarded by this.
  private final List<String> jobs = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final List<String> applied = new ArrayList<>();
  private String executor = "simulated";
  private int failsAfter = Integer.MAX_VALUE;
  private int diesAfter = Integer.MAX_VALUE;
  private int running;
  private int askedToSubmit;

  FakeServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Has another executor from now on. */
  synchronized void executor(String other) {
    executor = other;
  }

  /** Refuses submissions after so many. */
  synchronized void failAfter(int submissions) {
    failsAfter = submissions;
  }

  /** Ends without an answer to a submission after so many. */
  synchronized void dieAfter(int submissions) {
    diesAfter = submissions;
  }

  /** Whether the server ends instead of taking one more submission; callers ask at once. */
  private synchronized boolean dies() {
    askedToSubmit++;
    return askedToSubmit > diesAfter;
  }

  /** Counts so many jobs that never end. */
  synchronized void keepRunning(int count) {
    running = count;
  }

  /** Has a job already. */
  synchronized void submitEarlierJob() {
    submit("{\"name\":\"earlier\"");
  }

  synchronized int submissions() {
    return jobs.size();
  }

  synchronized List<String> applied() {
    return List.copyOf(applied);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().toString();
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      boolean submits = exchange.getRequestMethod().equals("POST") && path.equals("/v1/jobs");
      if (submits && dies()) {
        server.stop(0);
        return;
      }
      String answer = submits ? submit(body) : read(path, body);
      int status = answer.startsWith("{\"type\"") ? 507 : submits ? 201 : 200;
      byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private synchronized String submit(String body) {
    if (jobs.size() >= failsAfter) {
      return "{\"type\":\"/problems/x\",\"detail\":\"the disk is full\"}";
    }
    String id = "job-" + jobs.size();
    jobs.add(
        "{\"id\":\"%s\",\"status\":{\"createdAt\":\"%s\"}}"
            .formatted(id, Instant.now().minusMillis(250)));
    event(id, "JobEnqueued", "PENDING");
    event(id, "Admitted", "ADMITTED");
    if (body.contains("-large-")) {
      event(id, "AttemptEnded", "ENDED");
      event(id, "Admitted", "ADMITTED");
    }
    event(id, "JobFinished", "SUCCEEDED");
    return "{\"id\":\"%s\",\"namespace\":\"n\",\"name\":\"j\",\"replayed\":false}".formatted(id);
  }

  private void event(String job, String kind, String state) {
    events.add(
        """
        {"id":"%1$d.0","sequence":%1$d,"position":0,"at":"%2$s","kind":"%3$s","text":"",
         "object":{"kind":"Job","state":"%4$s"},"job":{"id":"%5$s"}}\
        """
            .formatted(events.size() + 1, Instant.now(), kind, state, job));
  }

  private synchronized String read(String path, String body) {
    if (path.startsWith("/v1/jobs/counts")) {
      return counts(path.contains("state="));
    }
    if (path.startsWith("/v1/jobs")) {
      return "{\"items\":[%s]}".formatted(String.join(",", jobs));
    }
    if (path.startsWith("/v1/events")) {
      return events(path);
    }
    return switch (path) {
      case "/v1/apply" -> {
        applied.add(body);
        yield "{\"results\":[]}";
      }
      case "/v1/fleet?limit=1" ->
          """
          {"executor":"%s","hosts":4,"hostsFailed":0,"slices":[],
           "sliceCount":{"all":0,"ready":0,"leaving":0,"absent":0,"held":0,"kept":0}}\
          """
              .formatted(executor);
      case "/v1/server" ->
          """
          {"version":"9.9","pid":1,"role":"leader","sequence":%d}\
          """
              .formatted(events.size());
      case "/q/metrics" ->
          "sluice_database_wal_bytes_total %d.0%n".formatted(jobs.size() * 2_048)
              + "sluice_database_rows_written_total{table=\"job\"} %d.0%n".formatted(jobs.size());
      default -> throw new IllegalArgumentException(path);
    };
  }

  private String counts(boolean live) {
    int total = live ? running : jobs.size();
    return total == 0
        ? "{\"items\":[],\"total\":0}"
        : "{\"items\":[{\"state\":\"RUNNING\",\"count\":%1$d}],\"total\":%1$d}".formatted(total);
  }

  private String events(String path) {
    Matcher after = AFTER.matcher(path);
    int from = after.find() ? Integer.parseInt(after.group(1)) : events.size();
    int to = Math.min(events.size(), from + EVENTS_PER_PAGE);
    return "{\"items\":[%s],\"nextAfter\":\"%d\"}"
        .formatted(String.join(",", events.subList(from, to)), to);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
