// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An identity provider whose keys a test chooses, which the ready-made one does not let it do: it
 * has metadata and keys, and signs what it is told to.
 */
final class TestProvider implements AutoCloseable {
  static final String CLIENT = "sluice";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile RSAKey key;

  private TestProvider(HttpServer server, RSAKey key) {
    this.server = server;
    this.key = key;
  }

  /** Generates a key. */
  static RSAKey key(String id) throws JOSEException {
    return new RSAKeyGenerator(2048).keyID(id).generate();
  }

  /**
   * Starts a provider.
   *
   * @param port 0: any free one
   */
  static TestProvider start(int port, RSAKey key) throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    TestProvider provider = new TestProvider(http, key);
    http.setExecutor(provider.threads);
    http.createContext(
        "/.well-known/openid-configuration",
        exchange -> provider.json(exchange, provider.metadata()));
    http.createContext(
        "/keys",
        exchange -> provider.json(exchange, new JWKSet(provider.key.toPublicJWK()).toString()));
    http.start();
    return provider;
  }

  int port() {
    return server.getAddress().getPort();
  }

  String issuer() {
    return "http://localhost:" + port();
  }

  /** Signs with another key from now on, and publishes that one alone. */
  void rotate(RSAKey other) {
    key = other;
  }

  private String metadata() {
    return """
    {"issuer":"ISSUER","authorization_endpoint":"ISSUER/authorize","token_endpoint":"ISSUER/token",
     "jwks_uri":"ISSUER/keys","response_types_supported":["code"],"subject_types_supported":["public"],
     "id_token_signing_alg_values_supported":["RS256"]}
    """
        .replace("ISSUER", issuer());
  }

  private void json(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** Returns the claims of a token that is accepted. */
  JWTClaimsSet.Builder claims(String email) {
    return new JWTClaimsSet.Builder()
        .issuer(issuer())
        .audience(CLIENT)
        .subject("subject-of-" + email)
        .claim("email", email)
        .claim("email_verified", true)
        .claim("groups", List.of("research", "staff"))
        .issueTime(Date.from(Instant.now()))
        .expirationTime(Date.from(Instant.now().plusSeconds(600)));
  }

  /** Signs with the present key. */
  String sign(JWTClaimsSet.Builder claims) throws JOSEException {
    return sign(claims, key);
  }

  static String sign(JWTClaimsSet.Builder claims, RSAKey by) throws JOSEException {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256)
                .type(JOSEObjectType.JWT)
                .keyID(by.getKeyID())
                .build(),
            claims.build());
    token.sign(new RSASSASigner(by));
    return token.serialize();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
