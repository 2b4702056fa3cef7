// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.scheduler.kube.CertificateFiles;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemTrustOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS, limits of connections and requests, and headers of answers, on one server. */
class TransportIT {
  private static final int BODY_BYTES = 8 << 20;
  private static final String VIEWER = "of-vera";
  private static final String NO_CHUNKS = "\r\n0\r\n\r\n";

  private static ServerHome home;
  private static Path folder;
  private static CertificateFiles files;
  private static CertificateFiles clients;
  private static StartedServer server;
  private static URI url;
  private static String token;

  @BeforeAll
  static void start() throws Exception {
    folder = Files.createTempDirectory("sluice-tls-");
    files = make("server");
    clients = make("client");
    home = ServerHome.of(OneServer.FLEET);
    home.file("--tokens", "tokens", "vera viewer * - sha256:%s%n".formatted(digest(VIEWER)));
    server = home.start(options("--request-rate", "50"));
    url = url(home.data());
    token = Files.readString(home.data().resolve("token")).strip();
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
    home.close();
    StartedServer.delete(folder);
  }

  private static String[] options(String... more) {
    List<String> options = new ArrayList<>();
    options.addAll(List.of("--tls-certificate", files.certificate().toString()));
    options.addAll(List.of("--tls-key", files.key().toString()));
    options.addAll(List.of("--tls-client-ca", clients.certificate().toString()));
    options.addAll(List.of(more));
    return options.toArray(String[]::new);
  }

  private static CertificateFiles make(String name) throws Exception {
    return CertificateFiles.make(Files.createDirectories(folder.resolve(name)), "RSA");
  }

  private static String digest(String secret) throws Exception {
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.US_ASCII));
    return HexFormat.of().formatHex(digest);
  }

  private static URI url(Path data) throws IOException {
    JsonNode address = new ObjectMapper().readTree(data.resolve("server.json").toFile());
    return URI.create(address.path("url").asText());
  }

  private static HttpClient client() throws Exception {
    return with(files.trust());
  }

  private static HttpClient with(SSLContext context) {
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url.resolve(path)).timeout(StartedServer.PATIENCE);
  }

  private static HttpRequest.Builder withToken(String path, String bearer) {
    return request(path).header("Authorization", "Bearer " + bearer);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client().send(request.build(), BodyHandlers.ofString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP_2", "HTTP_1_1"})
  void clientsChooseTheVersionOfHttp(HttpClient.Version version) throws Exception {
    assertThat(url.getScheme()).isEqualTo("https");
    HttpResponse<String> answer = send(withToken("/v1/server", token).version(version));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.version()).isEqualTo(version);
    assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
  }

  @Test
  void answersHaveTheHeadersOfTheirKind() throws Exception {
    HttpResponse<String> read = send(withToken("/v1/server", token));
    assertThat(read.headers().map())
        .containsEntry("x-content-type-options", List.of("nosniff"))
        .containsEntry("referrer-policy", List.of("no-referrer"))
        .containsEntry("cache-control", List.of("no-store"))
        .containsEntry("strict-transport-security", List.of("max-age=31536000"))
        .containsEntry(
            "content-security-policy", List.of("default-src 'none'; frame-ancestors 'none'"));
    HttpResponse<String> refused = send(request("/v1/server"));
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().map()).containsKeys("x-content-type-options", "cache-control");
    HttpResponse<String> page = send(request("/api/"));
    assertThat(page.headers().allValues("Content-Security-Policy"))
        .singleElement()
        .asString()
        .contains("script-src 'self'");
  }

  @Test
  void plainHttpAndOlderTlsGetNoAnswer() throws Exception {
    try (Socket plain = new Socket(url.getHost(), url.getPort())) {
      assertThat(
              exchange(
                  plain, "GET /v1/server HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(url.getHost())))
          .doesNotContain("HTTP/1");
    }
    assertThat(handshake("TLSv1.2").getSession().getProtocol()).isEqualTo("TLSv1.2");
  }

  private static SSLSocket handshake(String... protocols) throws Exception {
    SSLSocket socket =
        (SSLSocket) files.trust().getSocketFactory().createSocket(url.getHost(), url.getPort());
    socket.setSoTimeout((int) StartedServer.PATIENCE.toMillis());
    if (protocols.length > 0) {
      socket.setEnabledProtocols(protocols);
    }
    socket.startHandshake();
    return socket;
  }

  /** Sends bytes and returns all that comes back until the server closes the connection. */
  private static String exchange(Socket socket, String sent) throws IOException {
    socket.setSoTimeout((int) StartedServer.PATIENCE.toMillis());
    socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    StringBuilder answer = new StringBuilder();
    try {
      InputStream in = socket.getInputStream();
      for (int read = in.read(); read >= 0; read = in.read()) {
        answer.append((char) read);
      }
    } catch (SocketException | SSLException reset) {
      answer.append("<reset>");
    }
    return answer.toString();
  }

  private static X509Certificate presented() throws Exception {
    try (SSLSocket socket = handshake()) {
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  @Test
  void changedFilesAreUsedWithoutARestartAndBrokenOnesAreNot() throws Exception {
    X509Certificate first = presented();
    String whole = Files.readString(files.key());
    files.replaceKey("no key");
    awaitLog("the former certificate stays in use");
    assertThat(presented()).isEqualTo(first);

    files.replaceKey(whole);
    CertificateFiles.make(folder.resolve("server"), "EC");
    X509Certificate second = files.shown();
    awaitLog("new connections get the certificate of");
    assertThat(second).isNotEqualTo(first);
    assertThat(presented()).isEqualTo(second);
    assertThat(send(withToken("/v1/server", token)).statusCode()).isEqualTo(200);
    byte[] known = Files.readAllBytes(home.data().resolve("server.crt"));
    assertThat(
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(known)))
        .isEqualTo(second);
  }

  @Test
  void noHandshakeFailsWhileFilesAreReadAgain() throws Exception {
    Instant end = Instant.now().plusSeconds(12);
    Callable<Integer> shaking =
        () -> {
          int made = 0;
          for (; Instant.now().isBefore(end); made++) {
            handshake().close();
          }
          return made;
        };
    ExecutorService two = Executors.newFixedThreadPool(2);
    try {
      for (Future<Integer> made : two.invokeAll(List.of(shaking, shaking))) {
        assertThat(made.get()).isPositive();
      }
    } finally {
      two.shutdown();
    }
  }

  private static void awaitLog(String text) throws Exception {
    Instant deadline = Instant.now().plus(StartedServer.PATIENCE);
    while (!Files.readString(home.data().resolve("log/server.log")).contains(text)) {
      assertThat(Instant.now()).as("the log has: " + text).isBefore(deadline);
      Thread.sleep(Duration.ofMillis(100).toMillis());
    }
  }

  @Test
  void certificatesOfClientsAreChecked() throws Exception {
    HttpRequest request = withToken("/v1/server", token).build();
    assertThat(with(clients).send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> with(make("stranger")).send(request, BodyHandlers.ofString()))
        .isInstanceOf(IOException.class);
    try (StartedServer strict =
        home.startBeside("strict", options("--require-client-certificate"))) {
      Path data = home.data().resolveSibling("strict");
      HttpRequest probe = HttpRequest.newBuilder(url(data).resolve("/q/health/live")).build();
      assertThatThrownBy(() -> client().send(probe, BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
      assertThat(with(clients).send(probe, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      assertThat(strict.isAlive()).isTrue();
    }
  }

  /** The context of the former client remembers its session, which it may not resume. */
  @Test
  void changedAuthoritiesOfClientsAreUsedWithoutARestart() throws Exception {
    HttpRequest request = withToken("/v1/server", token).build();
    SSLContext former = files.trust(clients);
    assertThat(with(former).send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);

    clients = make("client");
    awaitLog("checked against the changed authorities");
    assertThat(with(clients).send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> with(former).send(request, BodyHandlers.ofString()))
        .isInstanceOf(IOException.class);
  }

  private static HttpClient with(CertificateFiles own) throws Exception {
    return with(files.trust(own));
  }

  @Test
  void largeHeadersAreRefused() throws Exception {
    String one = "X-Large: %s\r\n".formatted("x".repeat(20_000));
    String many = "X-Many: x\r\n".repeat(2_000);
    for (String headers : List.of(one, many)) {
      try (SSLSocket socket = handshake()) {
        assertThat(exchange(socket, String.join("", head("GET /v1/server"), headers, "\r\n")))
            .startsWith("HTTP/1.1 431 ");
      }
    }
  }

  private static String head(String target) {
    return "%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
        .formatted(target, url.getAuthority(), token);
  }

  /**
   * Each of them is read in two ways by different servers, which lets a request hide in another.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 4\r\nContent-Length: 5\r\n",
        "Content-Length: +4\r\n",
        "Content-Length : 4\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "X-Folded: a\r\n Content-Length: 4\r\n",
        "X-Bare: a\nContent-Length: 4\r\n"
      })
  void ambiguousRequestsAreRefusedAndTheirConnectionClosed(String headers) throws Exception {
    String hidden = head("GET /v1/server").concat("\r\n");
    try (SSLSocket socket = handshake()) {
      String answer =
          exchange(socket, String.join("", head("POST /v1/apply"), headers, NO_CHUNKS, hidden));
      assertThat(answer).startsWith("HTTP/1.1 400 ");
      assertThat(answer.lastIndexOf("HTTP/1.1 ")).as(answer).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
        "Transfer-Encoding: chunked\r\n"
      })
  void aRequestInChunksIsTheLastOfItsConnection(String headers) throws Exception {
    String hidden = head("GET /v1/server").concat("\r\n");
    try (SSLSocket socket = handshake()) {
      String answer =
          exchange(socket, String.join("", head("POST /v1/apply"), headers, NO_CHUNKS, hidden));
      assertThat(answer).startsWith("HTTP/1.1 400 ").contains("\"invalid-manifest\"");
      assertThat(answer.lastIndexOf("HTTP/1.1 ")).as(answer).isZero();
    }
  }

  /** The client of the JDK reads no answer before it has sent its body. */
  @Test
  void strangersAreRefusedBeforeTheirBodyInHttp2Too() throws Exception {
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl(true)
            .setUseAlpn(true)
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setTrustOptions(new PemTrustOptions().addCertValue(shown()));
    Vertx vertx = Vertx.vertx();
    try {
      for (String length : List.of("", Integer.toString(BODY_BYTES))) {
        String refused =
            vertx
                .createHttpClient(options)
                .request(HttpMethod.POST, url.getPort(), url.getHost(), "/v1/jobs")
                .compose(request -> silent(request, length))
                .toCompletionStage()
                .toCompletableFuture()
                .get(StartedServer.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(refused).startsWith("HTTP_2 401 ").contains("\"unauthorized\"");
      }
    } finally {
      vertx.close();
    }
  }

  /** Sends the head of a request and nothing more. */
  private static io.vertx.core.Future<String> silent(HttpClientRequest request, String length) {
    if (!length.isEmpty()) {
      request.putHeader("Content-Length", length);
    }
    request.sendHead();
    return request
        .response()
        .compose(
            answer ->
                answer
                    .body()
                    .map(
                        body -> "%s %d %s".formatted(answer.version(), answer.statusCode(), body)));
  }

  private static Buffer shown() throws IOException {
    return Buffer.buffer(Files.readAllBytes(files.certificate()));
  }

  @Test
  void bodiesOfUnknownLengthHaveTheSameLimitInHttp2() throws Exception {
    String one = OneServer.job("streamed", 1, "true").replace("queue: main", "queue: none");
    assertThat(send(withToken("/v1/jobs", token).POST(streamed(one))).body())
        .contains("\"refused\"");
    HttpResponse<String> large =
        send(withToken("/v1/jobs", token).POST(streamed("x".repeat(BODY_BYTES + 1))));
    assertThat(large.statusCode()).isEqualTo(413);
    assertThat(large.body()).contains("\"body-too-large\"");
  }

  private static HttpRequest.BodyPublisher streamed(String body) {
    return BodyPublishers.ofInputStream(
        () -> new ByteArrayInputStream(body.getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void aCallerBeyondItsRateIsToldWhenToRepeatAndOthersAreServed() throws Exception {
    HttpResponse<String> refused = firstRefused(withToken("/v1/server", VIEWER).build());
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(refused.body()).contains("\"too-many-requests\"", "vera may send 50 requests");
    assertThat(send(withToken("/v1/server", token)).statusCode()).isEqualTo(200);

    Thread.sleep(Duration.ofSeconds(1).toMillis());
    assertThat(send(withToken("/v1/server", VIEWER)).statusCode()).isEqualTo(200);
  }

  @Test
  void strangersOfOneAddressShareARateThatProbesAndCallersDoNotHave() throws Exception {
    assertThat(firstRefused(withToken("/v1/server", "guessed").build()).body())
        .contains("\"too-many-requests\"", "without a valid token");
    assertThat(send(withToken("/v1/server", token)).statusCode()).isEqualTo(200);
    assertThat(send(request("/q/health/live")).statusCode()).isEqualTo(200);
    Thread.sleep(Duration.ofSeconds(1).toMillis());
  }

  /** Repeats a request, 50 at once, until one is refused for its rate. */
  private static HttpResponse<String> firstRefused(HttpRequest request) throws Exception {
    HttpClient client = client();
    for (int round = 0; round < 100; round++) {
      List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
      for (int number = 0; number < 50; number++) {
        sent.add(client.sendAsync(request, BodyHandlers.ofString()));
      }
      for (CompletableFuture<HttpResponse<String>> one : sent) {
        HttpResponse<String> answer = one.get();
        if (answer.statusCode() == 429) {
          return answer;
        }
      }
    }
    throw new AssertionError("none of 5000 requests was refused");
  }
}
