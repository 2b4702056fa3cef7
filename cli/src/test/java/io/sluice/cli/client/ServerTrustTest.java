// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of an HTTPS server whose certificate names another host than the one that is called. */
@SuppressWarnings("NullAway.Init") // JUnit and the first step fill the fields.
class ServerTrustTest {
  private static final String PASSWORD = "of-a-test";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path data;

  private HttpsServer server;
  private KeyStore elsewhere;

  @BeforeEach
  void start() throws Exception {
    elsewhere = keys("elsewhere", "san=dns:elsewhere.example");
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(elsewhere)));
    server.createContext(
        "/",
        exchange -> {
          byte[] answer = "{\"answered\":true}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    Files.writeString(
        data.resolve("server.json"),
        "{\"url\":\"%s\",\"pid\":%d}".formatted(url(), ProcessHandle.current().pid()));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private KeyStore keys(String name, String names) throws Exception {
    Path store = data.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "one",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                names,
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String printed = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(printed).isZero();
    return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
  }

  private static SSLContext context(KeyStore keys) throws Exception {
    KeyManagerFactory presented = KeyManagerFactory.getInstance("PKIX");
    presented.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(presented.getKeyManagers(), null, null);
    return context;
  }

  private Path pem(String file, KeyStore keys) throws Exception {
    String lines =
        Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(keys.getCertificate("one").getEncoded());
    return Files.writeString(
        data.resolve(file),
        "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n".formatted(lines));
  }

  private URI url() {
    return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
  }

  private boolean answered(ServerAddress.Asked asked, Map<String, String> environment) {
    return new ServerClient(ServerAddress.find(asked, environment, PATIENCE))
        .get("/v1/server")
        .path("answered")
        .asBoolean();
  }

  @Test
  void theServerOfADirectoryIsKnownByItsCertificateAlone() throws Exception {
    ServerAddress.Asked asked = new ServerAddress.Asked(null, data, null, null);
    pem("server.crt", elsewhere);
    assertThat(answered(asked, Map.of())).isTrue();
    ServerAddress.Asked byUrl = new ServerAddress.Asked(url(), null, null, null);
    assertThat(answered(byUrl, Map.of("SLUICE_DATA", data.toString()))).isTrue();

    pem("server.crt", keys("other", "san=ip:127.0.0.1"));
    assertThatThrownBy(() -> answered(asked, Map.of()))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("is not the one in " + data.resolve("server.crt"));
  }

  @Test
  void aFileThatIsReplacedIsReadAgainByAClientThatRuns() throws Exception {
    pem("server.crt", keys("other", "san=ip:127.0.0.1"));
    ServerClient client =
        new ServerClient(
            ServerAddress.find(
                new ServerAddress.Asked(null, data, null, null), Map.of(), PATIENCE));
    assertThatThrownBy(() -> client.get("/v1/server")).isInstanceOf(UnreachableException.class);
    Path known = pem("server.crt", elsewhere);
    Files.setLastModifiedTime(known, FileTime.fromMillis(1));
    assertThat(client.get("/v1/server").path("answered").asBoolean()).isTrue();
  }

  @Test
  void anAuthorityVouchesForTheNamesOfACertificateOnly() throws Exception {
    Path authority = pem("ca.crt", elsewhere);
    ServerAddress.Asked asked = new ServerAddress.Asked(url(), null, null, authority);
    assertThatThrownBy(() -> answered(asked, Map.of()))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("no trusted connection");

    KeyStore here = keys("here", "san=ip:127.0.0.1");
    server.stop(0);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(here)));
    server.createContext("/", exchange -> exchange.sendResponseHeaders(500, -1));
    server.start();
    ServerAddress.Asked named = new ServerAddress.Asked(url(), null, null, null);
    Map<String, String> environment = Map.of("SLUICE_CA_FILE", pem("ca.crt", here).toString());
    assertThatThrownBy(() -> answered(named, environment)).isInstanceOf(RefusedException.class);
  }

  @Test
  void withoutACertificateToTrustNothingIsSent() {
    assertThatThrownBy(() -> answered(new ServerAddress.Asked(url(), null, null, null), Map.of()))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("--ca-file");
  }

  @Test
  void aFileWithoutCertificatesIsNamed() throws IOException {
    Path empty = Files.writeString(data.resolve("empty.crt"), "");
    for (Path file : new Path[] {empty, data.resolve("missing.crt"), data}) {
      ServerAddress.Asked asked = new ServerAddress.Asked(url(), null, null, file);
      assertThatThrownBy(() -> answered(asked, Map.of()))
          .isInstanceOf(ClientException.class)
          .hasMessageContaining(file.toString());
    }
  }
}
