// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of browsers, checked as they arrive at a server. */
class PlaceCheckTest {
  private static final String[] FOREIGN_LINK = {
    "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"
  };

  private static Vertx vertx;
  private static int port;

  @BeforeAll
  static void start() throws Exception {
    vertx = Vertx.vertx();
    PlaceCheck check = new PlaceCheck("127.0.0.1", true, List.of("sluice.example"));
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(
                request ->
                    request
                        .response()
                        .end(
                            check.refusal(request).orElse("allowed")
                                + "|"
                                + check.cookieRefusal(request).orElse("allowed")));
    port =
        server
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(1, TimeUnit.MINUTES)
            .actualPort();
  }

  @AfterAll
  static void end() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
  }

  /** Returns the results of both checks. */
  private static String[] ask(String method, String host, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://%s:%d%s".formatted(host, port, path)))
            .method(method, BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    String answer =
        HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body();
    return answer.split("\\|", -1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/session", "/session/callback?code=x&state=y", "/console/jobs/1", "/v1x"})
  void aLinkAtAnotherPlaceOpensAPage(String path) throws Exception {
    assertThat(ask("GET", "localhost", path, FOREIGN_LINK)[0]).isEqualTo("allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/jobs",
        "/v1",
        "/q/metrics",
        "/apis/x",
        "/openapi",
        "//v1/jobs",
        "/%761/jobs",
        "/x/../v1/jobs",
        "/x//v1",
        "/./v1/jobs",
        "/x;a=b"
      })
  void aLinkAtAnotherPlaceOpensNoInterface(String path) throws Exception {
    assertThat(ask("GET", "localhost", path, FOREIGN_LINK)[0]).contains("Sec-Fetch-Site");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, cross-site, navigate, iframe",
    "GET, cross-site, cors, empty",
    "GET, cross-site, no-cors, script",
    "GET, same-site, no-cors, document",
    "POST, cross-site, navigate, document",
  })
  void otherRequestsOfOtherPlacesAreRefused(String method, String site, String mode, String dest)
      throws Exception {
    String[] headers = {"Sec-Fetch-Site", site, "Sec-Fetch-Mode", mode, "Sec-Fetch-Dest", dest};
    assertThat(ask(method, "localhost", "/session", headers)[0]).contains("Sec-Fetch-Site");
  }

  @Test
  void aNavigationIsNotExemptFromTheCheckOfTheHost() throws Exception {
    String request =
        """
        GET / HTTP/1.1\r
        Host: evil.example\r
        Sec-Fetch-Site: cross-site\r
        Sec-Fetch-Mode: navigate\r
        Sec-Fetch-Dest: document\r
        Connection: close\r
        \r
        """;
    // Clients of the JDK set the header themselves.
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).contains("Host names no address of this server: evil.example");
    }
  }

  @Test
  void theOriginMustBeEqual() throws Exception {
    String own = "http://localhost:" + port;
    assertThat(ask("GET", "localhost", "/v1/jobs", "Origin", own)[0]).isEqualTo("allowed");
    assertThat(ask("GET", "localhost", "/v1/jobs", "Origin", "null")[0]).contains("Origin");
    assertThat(ask("GET", "localhost", "/", "Origin", "http://evil.example")[0]).contains("Origin");
  }

  @Test
  void aCookieChangesSomethingFromAPageOfTheServerOnly() throws Exception {
    String own = "http://localhost:" + port;
    assertThat(ask("GET", "localhost", "/v1/jobs")[1]).isEqualTo("allowed");
    assertThat(ask("POST", "localhost", "/v1/jobs")[1]).contains("Sec-Fetch-Site");
    assertThat(ask("DELETE", "localhost", "/session")[1]).contains("Sec-Fetch-Site");
    assertThat(ask("POST", "localhost", "/v1/jobs", "Sec-Fetch-Site", "same-origin")[1])
        .isEqualTo("allowed");
    assertThat(ask("POST", "localhost", "/v1/jobs", "Sec-Fetch-Site", "none")[1])
        .contains("Sec-Fetch-Site");
    assertThat(ask("POST", "localhost", "/v1/jobs", "Origin", own)[1]).isEqualTo("allowed");
    assertThat(ask("POST", "localhost", "/v1/jobs", "Origin", "http://evil.example")[1])
        .contains("Origin");
    assertThat(ask("POST", "localhost", "/v1/x", "Origin", own, "Sec-Fetch-Site", "cross-site")[1])
        .contains("Origin");
  }
}
