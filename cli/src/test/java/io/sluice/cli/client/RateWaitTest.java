// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that a server refuses for their rate. */
@SuppressWarnings("NullAway.Init") // The first step fills the fields.
class RateWaitTest {
  private static final String DONE = "done";

  private final Queue<String> answers = new ArrayDeque<>();
  private final AtomicInteger requests = new AtomicInteger();
  private HttpServer server;
  private ServerClient client;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          requests.incrementAndGet();
          String retryAfter = answers.remove();
          if (!retryAfter.equals(DONE) && !retryAfter.isEmpty()) {
            exchange.getResponseHeaders().set("Retry-After", retryAfter);
          }
          byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(retryAfter.equals(DONE) ? 200 : 429, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    client = new ServerClient(new ServerAddress(url, null));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void requestsOfAllKindsAreRepeatedAfterTheGivenTime() throws Exception {
    answers.addAll(List.of("0", "0", DONE, "0", DONE, "0", DONE));
    assertThat(client.get("/v1/jobs")).isEmpty();
    assertThat(client.post("/v1/jobs", new byte[10])).isEmpty();
    client.stream("/v1/jobs").close();
    assertThat(requests).hasValue(7);
  }

  @Test
  void theRefusalIsShownIfItGoesOnOrTheTimeIsLongOrNotGiven() {
    answers.addAll(List.of("0", "0", "0", "0"));
    assertThatThrownBy(() -> client.get("/v1/jobs")).isInstanceOf(RefusedException.class);
    for (String other : List.of("30", "", "soon", "-1")) {
      answers.add(other);
      assertThatThrownBy(() -> client.get("/v1/jobs")).isInstanceOf(RefusedException.class);
    }
    assertThat(requests).hasValue(8);
  }
}
