// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.scheduler.kube.CertificateFiles;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over real connections, with certificates that are checked. */
class WebhookServerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String JOB = "'apiVersion': 'batch/v1', 'kind': 'Job'";
  private static final String NAMED = "'labels': {'sluice.io/queue-name': 'main'}";

  private Path folder;
  private final Vertx vertx = Vertx.vertx();
  private CertificateFiles files;
  private WebhookServer server;

  @BeforeEach
  void start(@TempDir Path given) throws Exception {
    folder = given;
    files = CertificateFiles.make(folder, "RSA");
    server = WebhookServer.start(vertx, settings(0));
  }

  private WebhookServer.Settings settings(int port) {
    return new WebhookServer.Settings(
        "127.0.0.1", port, files.certificate(), files.key(), Duration.ofMillis(200), "sluice");
  }

  @AfterEach
  void end() throws Exception {
    server.close();
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  private HttpClient client(HttpClient.Version version) throws Exception {
    return HttpClient.newBuilder().version(version).sslContext(files.trust()).build();
  }

  private HttpRequest posting(String path, String body) {
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + path))
        .timeout(PATIENCE)
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  private static void assertSuspends(HttpResponse<String> answer) throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(new ObjectMapper().readTree(answer.body()).at("/response").has("patch")).isTrue();
  }

  @Test
  void itAnswersOverBothVersionsOfHttpHoweverManyAsk() throws Exception {
    for (HttpClient.Version version : HttpClient.Version.values()) {
      HttpClient client = client(version);
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int number = 0; number < 20; number++) {
        answers.add(
            client.sendAsync(
                posting("/hold", ReviewBodies.creating("n" + number, JOB, NAMED)),
                BodyHandlers.ofString()));
      }
      for (int number = 0; number < 20; number++) {
        HttpResponse<String> answer = answers.get(number).get();
        assertThat(answer.version()).isEqualTo(version);
        assertSuspends(answer);
        assertThat(answer.body()).contains("\"n" + number + "\"");
      }
    }
  }

  @Test
  void whatIsTooLargeIsRefusedAndTheNextOneAnswered() throws Exception {
    String large =
        ReviewBodies.creating("1", JOB, NAMED + ", 'x': '" + "x".repeat(WebhookServer.BYTES_MAX))
            + "'";
    for (HttpClient.Version version : HttpClient.Version.values()) {
      HttpClient client = client(version);
      for (int number = 0; number < 3; number++) {
        assertThat(isRefused(client, posting("/hold", large))).isTrue();
      }
      assertSuspends(
          client.send(
              posting("/hold", ReviewBodies.creating("2", JOB, NAMED)), BodyHandlers.ofString()));
    }
  }

  private static boolean isRefused(HttpClient client, HttpRequest request) throws Exception {
    try {
      return client.send(request, BodyHandlers.ofString()).statusCode() == 413;
    } catch (IOException closed) {
      // The answer came while the rest was on its way, and the connection went with it.
      return true;
    }
  }

  @Test
  void whatIsNoQuestionIsToldSo() throws Exception {
    HttpClient client = client(HttpClient.Version.HTTP_2);
    assertThat(client.send(posting("/hold", "{}"), BodyHandlers.ofString()).statusCode())
        .isEqualTo(400);
    assertThat(client.send(posting("/v1/jobs", "{}"), BodyHandlers.ofString()).statusCode())
        .isEqualTo(404);
    HttpRequest got = HttpRequest.newBuilder(posting("/hold", "").uri()).GET().build();
    assertThat(client.send(got, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
  }

  @Test
  void aConnectionThatGoesAwayHalfwayTakesNothingWithIt() throws Exception {
    for (int number = 0; number < 50; number++) {
      try (SSLSocket socket =
          (SSLSocket) files.trust().getSocketFactory().createSocket("127.0.0.1", server.port())) {
        socket
            .getOutputStream()
            .write(
                "POST /hold HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"
                    .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
      }
    }
    HttpClient client = client(HttpClient.Version.HTTP_1_1);
    HttpRequest next = posting("/hold", ReviewBodies.creating("1", JOB, NAMED));
    Instant deadline = Instant.now().plus(PATIENCE);
    HttpResponse<String> answer = client.send(next, BodyHandlers.ofString());
    while (answer.statusCode() == 503 && Instant.now().isBefore(deadline)) {
      answer = client.send(next, BodyHandlers.ofString());
    }
    assertSuspends(answer);
  }

  private X509Certificate shown() throws Exception {
    SSLContext anybody = SSLContext.getInstance("TLS");
    anybody.init(null, new javax.net.ssl.TrustManager[] {new TrustsAnybody()}, null);
    try (SSLSocket socket =
        (SSLSocket) anybody.getSocketFactory().createSocket("127.0.0.1", server.port())) {
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  @Test
  void aCertificateThatIsChangedIsShownAndOneThatIsWrongIsNot() throws Exception {
    X509Certificate first = files.shown();
    assertThat(shown()).isEqualTo(first);

    files = CertificateFiles.make(folder, "EC");
    awaitShown(files.shown());
    assertSuspends(
        client(HttpClient.Version.HTTP_2)
            .send(
                posting("/hold", ReviewBodies.creating("1", JOB, NAMED)), BodyHandlers.ofString()));

    String key = Files.readString(files.key());
    files = CertificateFiles.make(folder, "EC");
    awaitShown(files.shown());
    X509Certificate second = files.shown();
    Files.writeString(files.key(), key);
    Thread.sleep(1_000);
    assertThat(shown()).as("with another one's key").isEqualTo(second);
    Files.delete(files.key());
    Thread.sleep(1_000);
    assertThat(shown()).as("without a key").isEqualTo(second);
    files = CertificateFiles.make(folder, "RSA");
    awaitShown(files.shown());
  }

  private void awaitShown(X509Certificate expected) throws Exception {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!shown().equals(expected)) {
      assertThat(Instant.now()).isBefore(deadline);
      Thread.sleep(50);
    }
  }

  @Test
  void itDoesNotStartWithoutAPairOrOnAPortThatIsTaken() throws Exception {
    assertThatThrownBy(() -> WebhookServer.start(vertx, settings(server.port())))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("cannot listen on 127.0.0.1:" + server.port());
    Files.writeString(files.key(), "none");
    assertThatThrownBy(() -> WebhookServer.start(vertx, settings(0)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("are no certificate and its key in PEM");
    Files.delete(files.certificate());
    assertThatThrownBy(() -> WebhookServer.start(vertx, settings(0)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("cannot read");
  }

  /** To see what is shown, whatever it is. */
  private static final class TrustsAnybody extends javax.net.ssl.X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(
        X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public void checkServerTrusted(
        X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
