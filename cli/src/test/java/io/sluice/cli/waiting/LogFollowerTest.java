// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.sluice.cli.watching.JournalServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The output of an attempt that is followed over streams that break. */
@SuppressWarnings("NullAway.Init") // JUnit fills the fields.
class LogFollowerTest {
  private static final Duration QUIET = Duration.ofMillis(300);

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final AtomicInteger streams = new AtomicInteger();
  private volatile String attempts = "[]";
  private JournalServer server;

  @BeforeEach
  void start() throws Exception {
    server = new JournalServer();
    server.job("train", "PENDING");
    server.handle(
        "/v1/jobs/train/attempts",
        exchange -> JournalServer.send(exchange, 200, "{\"items\":%s}".formatted(attempts)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void attempt(String state, int generation) {
    attempts =
        "[{\"attempt\":2,\"generation\":%d,\"state\":\"%s\"},{\"attempt\":1,\"state\":\"ENDED\"}]"
            .formatted(generation, state);
    server.event("train", "Attempt", state);
  }

  /** Writes a part of the log, and ends the connection without the end of the stream. */
  private static void cut(HttpExchange exchange, String part) throws IOException {
    write(exchange, part);
    throw new IOException("cut");
  }

  private static OutputStream write(HttpExchange exchange, String part) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    out.write(part.getBytes(StandardCharsets.UTF_8));
    out.flush();
    return out;
  }

  private static void whole(HttpExchange exchange, String log) throws IOException {
    write(exchange, log).close();
  }

  private CompletableFuture<String> follow() {
    LogFollower.Wanted wanted = new LogFollower.Wanted("train", 0, null, null, null);
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    LogFollower follower = new LogFollower(server.client(), wanted, out, QUIET);
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            follower.follow();
            return printed.toString(StandardCharsets.UTF_8);
          } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
          }
        });
  }

  private static String text(CompletableFuture<String> following) throws Exception {
    return following.get(60, TimeUnit.SECONDS);
  }

  private static boolean isWait(String request) {
    return request.startsWith("/v1/events") && request.contains("wait=");
  }

  @Test
  void anAttemptIsAwaitedAndFollowedToItsEnd() throws Exception {
    server.handle("/v1/jobs/train/logs", exchange -> whole(exchange, "one\ntwo\n"));
    CompletableFuture<String> following = follow();
    server.awaitRequests(1, LogFollowerTest::isWait);
    attempt("RUNNING", 1);
    server.awaitRequests(2, LogFollowerTest::isWait);
    attempt("ENDED", 1);
    assertThat(text(following)).isEqualTo("one\ntwo\n");
    assertThat(server.requests(request -> request.contains("/logs?")))
        .containsExactly("/v1/jobs/train/logs?index=0&attempt=2&follow=true");
  }

  @Test
  void aJobThatEndsWithoutAnAttemptHasNoOutput() throws Exception {
    server.job("train", "CANCELLED");
    assertThat(text(follow())).isEmpty();
  }

  @Test
  void aStreamThatIsCutIsReadOnWhereItStopped() throws Exception {
    attempt("RUNNING", 1);
    server.handle(
        "/v1/jobs/train/logs",
        exchange -> {
          int number = streams.incrementAndGet();
          if (number < 3) {
            cut(exchange, "one\ntw".substring(0, 3 * number));
          }
          attempt("ENDED", 1);
          whole(exchange, "one\ntwo\nthree\n");
        });
    assertThat(text(follow())).isEqualTo("one\ntwo\nthree\n");
  }

  @Test
  void linesOfSeveralPodsArePrintedOnceThoughTheirOrderDiffers() throws Exception {
    attempt("RUNNING", 1);
    server.handle(
        "/v1/jobs/train/logs",
        exchange -> {
          if (streams.incrementAndGet() == 1) {
            cut(exchange, "[b] one\n[b] two\n[a] o");
          }
          attempt("ENDED", 1);
          whole(exchange, "[a] one\n[b] one\n[a] two\n[b] two\n[b] two\n");
        });
    assertThat(text(follow())).isEqualTo("[b] one\n[b] two\n[a] one\n[a] two\n[b] two\n");
  }

  @Test
  void anotherGenerationIsFollowedToo() throws Exception {
    attempt("RUNNING", 1);
    server.handle(
        "/v1/jobs/train/logs",
        exchange -> {
          boolean first = streams.incrementAndGet() == 1;
          if (!first) {
            attempt("ENDED", 2);
          }
          whole(exchange, first ? "one\n" : "one\ntwo\n");
        });
    CompletableFuture<String> following = follow();
    server.awaitRequests(1, LogFollowerTest::isWait);
    attempt("RUNNING", 2);
    assertThat(text(following)).isEqualTo("one\ntwo\n");
  }

  @Test
  void aQuietStreamIsReadOnUntilTheAttemptHasEnded() throws Exception {
    attempt("RUNNING", 1);
    server.handle(
        "/v1/jobs/train/logs",
        exchange -> {
          if (streams.incrementAndGet() > 1) {
            whole(exchange, "one\ntwo\nthree\n");
            return;
          }
          try (OutputStream out = write(exchange, "one\n")) {
            Thread.sleep(3 * QUIET.toMillis());
            out.write("two\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            attempt("ENDED", 1);
            // A server that has gone without a word.
            Thread.sleep(Duration.ofSeconds(30).toMillis());
          } catch (InterruptedException ended) {
            throw new IOException(ended);
          }
        });
    assertThat(text(follow())).isEqualTo("one\ntwo\nthree\n");
    assertThat(streams).hasValue(2);
  }
}
