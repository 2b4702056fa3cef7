// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An identity provider with the device flow (RFC 8628), on which the user's part is a method. */
final class DeviceProvider implements AutoCloseable {
  static final String CLIENT = "sluice";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final KeyPair key;
  private final AtomicInteger refreshes = new AtomicInteger();
  private volatile String answer = "authorization_pending";
  private volatile Duration valid = Duration.ofMinutes(10);

  private DeviceProvider(HttpServer server, KeyPair key) {
    this.server = server;
    this.key = key;
  }

  static DeviceProvider start() throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    DeviceProvider provider = new DeviceProvider(http, generator.generateKeyPair());
    http.setExecutor(provider.threads);
    http.createContext(
        "/.well-known/openid-configuration", exchange -> send(exchange, 200, provider.metadata()));
    http.createContext("/keys", exchange -> send(exchange, 200, provider.keys()));
    http.createContext("/device", exchange -> send(exchange, 200, provider.device()));
    http.createContext("/token", provider::token);
    http.start();
    return provider;
  }

  String issuer() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** The user confirms the code. */
  void confirm() {
    answer = "";
  }

  /** The user has not confirmed a code, or has refused it. */
  void answer(String error) {
    answer = error;
  }

  /** Sets how long the tokens are valid that it issues from now on. */
  void tokensAreValidFor(Duration time) {
    valid = time;
  }

  /** Returns how often it has refreshed a token. */
  int refreshes() {
    return refreshes.get();
  }

  private String metadata() {
    return """
    {"issuer":"ISSUER","authorization_endpoint":"ISSUER/authorize","token_endpoint":"ISSUER/token",
     "device_authorization_endpoint":"ISSUER/device","jwks_uri":"ISSUER/keys",
     "response_types_supported":["code"],"subject_types_supported":["public"],
     "id_token_signing_alg_values_supported":["RS256"]}
    """
        .replace("ISSUER", issuer());
  }

  private String keys() {
    RSAPublicKey open = (RSAPublicKey) key.getPublic();
    return """
    {"keys":[{"kty":"RSA","use":"sig","alg":"RS256","kid":"one","n":"%s","e":"%s"}]}
    """
        .formatted(number(open.getModulus()), number(open.getPublicExponent()));
  }

  private String device() {
    return """
    {"device_code":"the-device-code","user_code":"WDJB-MJHT","verification_uri":"%s/confirm",
     "expires_in":600,"interval":1}
    """
        .formatted(issuer());
  }

  private void token(HttpExchange exchange) throws IOException {
    String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
    if (form.contains("refresh_token=refresh-" + refreshes.get() + "&")
        || form.endsWith("refresh_token=refresh-" + refreshes.get())) {
      refreshes.incrementAndGet();
      send(exchange, 200, tokens());
    } else if (form.contains("device_code=the-device-code") && answer.isEmpty()) {
      send(exchange, 200, tokens());
    } else {
      String error = form.contains("device_code=the-device-code") ? answer : "invalid_grant";
      send(exchange, 400, "{\"error\":\"%s\"}".formatted(error));
    }
  }

  private String tokens() {
    ObjectNode claims = new ObjectMapper().createObjectNode();
    claims.put("iss", issuer());
    claims.put("aud", CLIENT);
    claims.put("sub", "1");
    claims.put("email", "ann@example.org");
    claims.put("email_verified", true);
    claims.putArray("groups").add("research");
    claims.put("exp", Instant.now().plus(valid).getEpochSecond());
    String signed =
        text("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"one\"}") + "." + text(claims.toString());
    return """
    {"access_token":"opaque","token_type":"Bearer","id_token":"%s.%s","refresh_token":"refresh-%d"}
    """
        .formatted(signed, signature(signed), refreshes.get());
  }

  private String signature(String signed) {
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key.getPrivate());
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return base64(signature.sign());
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static String number(BigInteger number) {
    byte[] bytes = number.toByteArray();
    int sign = bytes[0] == 0 ? 1 : 0;
    byte[] unsigned = new byte[bytes.length - sign];
    System.arraycopy(bytes, sign, unsigned, 0, unsigned.length);
    return base64(unsigned);
  }

  private static String text(String text) {
    return base64(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
