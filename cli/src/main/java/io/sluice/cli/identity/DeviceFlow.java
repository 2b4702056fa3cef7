// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.client.ClientException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sign-in of a user whose browser is elsewhere (device authorization grant, RFC 8628): the user
 * opens a page of the provider on any device and confirms a code.
 */
public final class DeviceFlow {
  private static final String GRANT = "urn:ietf:params:oauth:grant-type:device_code";
  private static final String SCOPES = "openid profile email offline_access";
  private static final int INTERVAL_SECONDS = 5;
  private static final int SLOWER_SECONDS = 5;
  private static final int LASTS_MAX_SECONDS = 3600;
  private static final int CONTROLS_END = 0x20;
  private static final int DELETE = 0x7f;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String issuer;
  private final String clientId;
  private final String tokenEndpoint;
  private final String deviceCode;
  private final JsonNode begun;

  private DeviceFlow(
      String issuer, String clientId, String tokenEndpoint, String deviceCode, JsonNode begun) {
    this.issuer = issuer;
    this.clientId = clientId;
    this.tokenEndpoint = tokenEndpoint;
    this.deviceCode = deviceCode;
    this.begun = begun;
  }

  /** Begins a sign-in. */
  public static DeviceFlow begin(String issuer, String clientId) {
    JsonNode metadata = ProviderClient.metadata(issuer);
    String endpoint = metadata.path("device_authorization_endpoint").asText();
    if (endpoint.isEmpty()) {
      throw new ClientException(
          "the identity provider %s has no device flow: sign in with a browser, or use a token"
              .formatted(issuer));
    }
    JsonNode begun = ProviderClient.post(endpoint, Map.of("client_id", clientId, "scope", SCOPES));
    String code = begun.path("device_code").asText();
    if (code.isEmpty() || page(begun).isEmpty()) {
      throw new ClientException("the identity provider began no sign-in: " + reason(begun));
    }
    return new DeviceFlow(issuer, clientId, metadata.path("token_endpoint").asText(), code, begun);
  }

  /** Returns the page that the user opens. */
  public String page() {
    return page(begun);
  }

  private static String page(JsonNode begun) {
    return printable(begun.path("verification_uri").asText());
  }

  /** Returns the code that the user confirms there. */
  public String code() {
    return printable(begun.path("user_code").asText());
  }

  /** Waits until the user has confirmed; returns what is to be saved for a server. */
  public SavedSignIn await(String server) throws InterruptedException {
    int interval = Math.max(1, begun.path("interval").asInt(INTERVAL_SECONDS));
    int lasts = Math.min(LASTS_MAX_SECONDS, begun.path("expires_in").asInt(LASTS_MAX_SECONDS));
    Instant deadline = Instant.now().plusSeconds(lasts);
    while (Instant.now().isBefore(deadline)) {
      Thread.sleep(Duration.ofSeconds(interval).toMillis());
      JsonNode answer =
          ProviderClient.post(
              tokenEndpoint,
              Map.of("grant_type", GRANT, "device_code", deviceCode, "client_id", clientId));
      switch (answer.path("error").asText()) {
        case "" -> {
          return saved(server, issuer, clientId, tokenEndpoint, null, answer);
        }
        case "authorization_pending" -> {}
        case "slow_down" -> interval += SLOWER_SECONDS;
        default ->
            throw new ClientException(
                "the identity provider refused the sign-in: " + reason(answer));
      }
    }
    throw new ClientException("nobody confirmed the sign-in in time: begin again");
  }

  /**
   * Reads tokens.
   *
   * @param former the refresh token that stays valid if the answer has none
   */
  static SavedSignIn saved(
      String server,
      String issuer,
      String clientId,
      String tokenEndpoint,
      @Nullable String former,
      JsonNode answer) {
    String idToken = answer.path("id_token").asText();
    String refresh = answer.path("refresh_token").asText();
    if (idToken.isEmpty()) {
      throw new ClientException("the identity provider sent no ID token: sign in again");
    }
    return new SavedSignIn(
        server,
        issuer,
        clientId,
        tokenEndpoint,
        idToken,
        refresh.isEmpty() ? former : refresh,
        expiry(idToken));
  }

  /** The server verifies the token; the client only wants to know when to refresh it. */
  private static long expiry(String token) {
    try {
      String[] parts = token.split("\\.", -1);
      byte[] claims = Base64.getUrlDecoder().decode(parts.length > 1 ? parts[1] : "");
      return JSON.readTree(claims).path("exp").asLong();
    } catch (IOException | IllegalArgumentException unreadable) {
      throw new ClientException("the identity provider sent an ID token that cannot be read");
    }
  }

  private static String reason(JsonNode answer) {
    String text = answer.path("error_description").asText();
    return printable(
        answer.path("error").asText("no reason") + (text.isEmpty() ? "" : ", " + text));
  }

  /** Text of a provider goes to a terminal, which would obey control characters. */
  private static String printable(String text) {
    StringBuilder clean = new StringBuilder();
    text.codePoints()
        .map(one -> one < CONTROLS_END || one == DELETE ? '?' : one)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }
}
