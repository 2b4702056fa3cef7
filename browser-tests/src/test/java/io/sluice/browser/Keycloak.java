// SPDX-License-Identifier: Apache-2.0
package io.sluice.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.scheduler.process.StartedServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Keycloak in a process of its own, set up as the how-to about OpenID Connect says. It keeps
 * nothing: its database is in memory.
 *
 * <p>Realm {@code research} has two users in the group {@code vision}, ann and bob, who must
 * consent to the client {@code sluice}. Programs get tokens for it from the client {@code scripts}.
 */
final class Keycloak implements AutoCloseable {
  static final String PASSWORD = "the-password-of-a-user";

  /** The long profile unpacks it there. */
  private static final Path PROGRAM = Path.of("target", "keycloak").toAbsolutePath();

  private static final String HEAP = "-Xms64m -Xmx512m";
  private static final String REALM =
      """
      {"realm": "research", "enabled": true, "groups": [{"name": "vision"}],
       "clients": [
         {"clientId": "sluice", "publicClient": true, "consentRequired": true,
          "redirectUris": ["CALLBACK"],
          "protocolMappers": [
            {"name": "groups", "protocol": "openid-connect",
             "protocolMapper": "oidc-group-membership-mapper",
             "config": {"claim.name": "groups", "full.path": "false", "id.token.claim": "true"}}]},
         {"clientId": "scripts", "publicClient": true, "directAccessGrantsEnabled": true,
          "protocolMappers": [
            {"name": "groups", "protocol": "openid-connect",
             "protocolMapper": "oidc-group-membership-mapper",
             "config": {"claim.name": "groups", "full.path": "false",
                        "access.token.claim": "true"}},
            {"name": "sluice", "protocol": "openid-connect",
             "protocolMapper": "oidc-audience-mapper",
             "config": {"included.client.audience": "sluice", "access.token.claim": "true"}}]}],
       "users": [ANN, BOB]}
      """;
  private static final String USER =
      """
      {"username": "NAME", "enabled": true, "email": "NAME@example.org", "emailVerified": true,
       "firstName": "NAME", "lastName": "Example", "groups": ["/vision"],
       "realmRoles": ["default-roles-research"],
       "credentials": [{"type": "password", "value": "PASSWORD"}]}
      """;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final Path log;
  private final String issuer;

  private Keycloak(Process process, Path log, String issuer) {
    this.process = process;
    this.log = log;
    this.issuer = issuer;
  }

  static String issuer(int port) {
    return "http://localhost:" + port + "/realms/research";
  }

  /**
   * Starts it and waits until it answers.
   *
   * @param port a free one of loopback
   * @param callback where the client {@code sluice} may send browsers back to
   */
  static Keycloak start(int port, String callback) throws IOException, InterruptedException {
    Path realms = Files.createDirectories(PROGRAM.resolve("data").resolve("import"));
    Files.writeString(realms.resolve("research-realm.json"), realm(callback));
    Path log = PROGRAM.resolveSibling("keycloak.log");
    ProcessBuilder builder =
        new ProcessBuilder(
            "bash",
            PROGRAM.resolve("bin").resolve("kc.sh").toString(),
            "start-dev",
            "--import-realm",
            "--db=dev-mem",
            "--http-host=127.0.0.1",
            "--http-port=" + port);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("JAVA_OPTS_KC_HEAP", HEAP);
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    Keycloak keycloak = new Keycloak(process, log, issuer(port));
    try {
      keycloak.awaitAnswer();
    } catch (AssertionError | IOException | InterruptedException failure) {
      keycloak.close();
      throw failure;
    }
    return keycloak;
  }

  private static String realm(String callback) {
    return REALM
        .replace("CALLBACK", callback)
        .replace("ANN", USER.replace("NAME", "ann"))
        .replace("BOB", USER.replace("NAME", "bob"))
        .replace("PASSWORD", PASSWORD);
  }

  private void awaitAnswer() throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(StartedServer.PATIENCE);
    while (!answers()) {
      if (!process.isAlive() || Instant.now().isAfter(deadline)) {
        throw new AssertionError("Keycloak did not start: " + Files.readString(log));
      }
      Thread.sleep(200);
    }
  }

  private boolean answers() throws IOException, InterruptedException {
    URI metadata = URI.create(issuer + "/.well-known/openid-configuration");
    try {
      return client
              .send(HttpRequest.newBuilder(metadata).build(), BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (ConnectException notYet) {
      return false;
    }
  }

  /** Returns the tokens that a program of a user gets from the client {@code scripts}. */
  JsonNode tokens(String user) throws IOException, InterruptedException {
    String form =
        "grant_type=password&scope=openid&client_id=scripts&username=%s&password=%s"
            .formatted(user, PASSWORD);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(issuer + "/protocol/openid-connect/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new AssertionError("Keycloak issues no token: " + response.body());
    }
    return new ObjectMapper().readTree(response.body());
  }

  /** Ends it and waits. Its script passes the signal on. */
  @Override
  public void close() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    children.forEach(ProcessHandle::destroyForcibly);
  }
}
