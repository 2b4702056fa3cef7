// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.logs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.scheduler.execution.AttemptLogs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Logs read by the cluster's client from a server that answers as an API server does. */
@SuppressWarnings("NullAway.Init") // JUnit fills the fields.
class FollowedLogTest {
  private static final String POD = "/api/v1/namespaces/team/pods/train-0";
  private static final int STREAMS = 3;

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Semaphore streams = new Semaphore(STREAMS);
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile String phase = "Running";
  private ExecutorService threads;
  private HttpServer server;
  private KubernetesClient client;

  /** Answers the streams of the log, the first one with number 1. */
  private volatile Answer answer = (exchange, number) -> exchange.sendResponseHeaders(404, -1);

  private interface Answer {
    void give(HttpExchange exchange, int number) throws IOException, InterruptedException;
  }

  @BeforeEach
  void start() throws IOException {
    threads = Executors.newCachedThreadPool();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(POD, this::pod);
    server.createContext("/api/v1/namespaces/team/pods", this::list);
    server.createContext(POD + "/log", this::log);
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .build())
            .build();
  }

  @AfterEach
  void stop() {
    end.countDown();
    client.close();
    server.stop(0);
    threads.shutdownNow();
  }

  private Pod pod() {
    return new PodBuilder()
        .withNewMetadata()
        .withName("train-0")
        .withNamespace("team")
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .endContainer()
        .endSpec()
        .withNewStatus()
        .withPhase(phase)
        .endStatus()
        .build();
  }

  private void pod(HttpExchange exchange) throws IOException {
    send(exchange, phase.equals("Deleted") ? 404 : 200, Serialization.asJson(pod()));
  }

  private void list(HttpExchange exchange) throws IOException {
    String items = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[%s]}";
    send(exchange, 200, items.formatted(Serialization.asJson(pod())));
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private void log(HttpExchange exchange) throws IOException {
    requests.add(exchange.getRequestURI().getQuery());
    try {
      answer.give(exchange, requests.size());
    } catch (InterruptedException interrupted) {
      throw new IOException("the test ends", interrupted);
    }
  }

  private static OutputStream write(HttpExchange exchange, String part) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    out.write(part.getBytes(StandardCharsets.UTF_8));
    out.flush();
    return out;
  }

  private AttemptLogs.Reader follow(@Nullable Integer tail) {
    return new FollowedLog(ContainerLog.of(client, pod()), tail, streams);
  }

  /** Reads to the end of the log. */
  private static String text(AttemptLogs.Reader reader) throws InterruptedException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    boolean ended = false;
    while (!ended) {
      AttemptLogs.Piece piece = reader.read(7);
      text.writeBytes(piece.bytes());
      ended = piece.ended();
      if (piece.bytes().length == 0) {
        assertThat(System.nanoTime()).as("waits for the end after " + text).isLessThan(deadline);
        Thread.sleep(20);
      }
    }
    reader.close();
    return text.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aBrokenStreamGoesOnAtItsLastLine() throws Exception {
    answer =
        (exchange, number) -> {
          if (number == 1) {
            write(exchange, "2026-11-25T07:00:00.1Z one\n2026-11-25T07:00:00.2Z tw");
            throw new IOException("cut");
          }
          phase = "Succeeded";
          write(
                  exchange,
                  "2026-11-25T07:00:00.1Z one\n2026-11-25T07:00:00.2Z two\n2026-11-25T07:00:03Z three\n")
              .close();
        };
    assertThat(text(follow(null))).isEqualTo("one\ntwo\nthree\n");
    assertThat(requests).hasSize(3).allMatch(query -> query.contains("follow=true"));
    assertThat(requests.get(0)).contains("container=main", "timestamps=true");
    assertThat(requests.get(0)).doesNotContain("sinceTime");
    assertThat(requests.get(1)).contains("sinceTime=2026-11-25T07:00:00.200Z");
    assertThat(requests.get(2)).as("nothing is left").contains("sinceTime=2026-11-25T07:00:03Z");
    assertThat(streams.availablePermits()).isEqualTo(STREAMS);
  }

  @Test
  void aTailBeginsBeforeTheEndAndIsFollowed() throws Exception {
    String first = "2026-11-25T07:00:00.1Z one\n2026-11-25T07:00:00.2Z two\n";
    answer =
        (exchange, number) -> {
          phase = "Failed";
          String log = number == 1 ? first : first + "2026-11-25T07:00:00.2Z three\n";
          write(exchange, log).close();
        };
    assertThat(text(follow(6))).isEqualTo("e\ntwo\nthree\n");
    assertThat(requests.get(0)).contains("tailLines=6").doesNotContain("follow=true");
    assertThat(requests.get(1)).contains("sinceTime=2026-11-25T07:00:00.200Z", "follow=true");
  }

  @Test
  void aLogThatIsNotFollowedIsReadOnce() throws Exception {
    answer = (exchange, number) -> write(exchange, "2026-11-25T07:00:00Z one\n").close();
    assertThat(text(new WholeLog(ContainerLog.of(client, pod()), null))).isEqualTo("one\n");
    assertThat(text(new WholeLog(ContainerLog.of(client, pod()), 0))).isEmpty();
    answer = (exchange, number) -> send(exchange, 400, "{\"message\":\"container is waiting\"}");
    assertThat(text(new WholeLog(ContainerLog.of(client, pod()), null))).isEmpty();
    assertThat(requests).hasSize(3).noneMatch(query -> query.contains("follow=true"));
  }

  @Test
  void aDeletedPodHasNoLog() throws Exception {
    phase = "Deleted";
    assertThat(text(follow(null))).isEmpty();
    assertThat(requests).isEmpty();
    assertThat(streams.availablePermits()).isEqualTo(STREAMS);
  }

  @Test
  void aClusterSendsNoMoreThanIsRead() throws Exception {
    String line = "2026-11-25T07:00:00Z " + "x".repeat(1_000) + "\n";
    long[] sent = {0};
    CountDownLatch closed = new CountDownLatch(1);
    answer =
        (exchange, number) -> {
          try (OutputStream out = write(exchange, line)) {
            byte[] lines = line.repeat(64).getBytes(StandardCharsets.UTF_8);
            while (sent[0] < 1L << 30) {
              out.write(lines);
              sent[0] += lines.length;
            }
          } finally {
            closed.countDown();
          }
        };
    AttemptLogs.Reader reader = follow(null);
    while (reader.read(10).bytes().length == 0) {
      Thread.sleep(10);
    }
    reader.close();
    assertThat(closed.await(60, TimeUnit.SECONDS)).as("the stream is closed").isTrue();
    assertThat(sent[0]).as("sockets and buffers hold little").isLessThan(64L << 20);
    assertThat(streams.availablePermits()).isEqualTo(STREAMS);
  }
}
