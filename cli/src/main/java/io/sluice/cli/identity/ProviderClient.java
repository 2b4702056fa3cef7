// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.identity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Requests to an identity provider. */
final class ProviderClient {
  private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(10).toMillis();
  private static final int BYTES_MAX = 1 << 20;
  private static final int ERRORS_MIN = 400;
  private static final int FAULTS_MIN = 500;
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final ObjectMapper JSON = new ObjectMapper();

  private ProviderClient() {}

  /** The metadata of an issuer, which must name itself. */
  static JsonNode metadata(String issuer) {
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    JsonNode metadata = send(base + "/.well-known/openid-configuration", null);
    if (!issuer.equals(metadata.path("issuer").asText())) {
      throw new ClientException(
          "the identity provider %s calls itself %s"
              .formatted(issuer, metadata.path("issuer").asText("nothing")));
    }
    return metadata;
  }

  /** Posts a form. An answer with an error of OAuth is returned like any other. */
  static JsonNode post(String endpoint, Map<String, String> form) {
    return send(
        endpoint,
        form.entrySet().stream()
            .map(
                one ->
                    ServerClient.encode(one.getKey()) + "=" + ServerClient.encode(one.getValue()))
            .collect(Collectors.joining("&"))
            .getBytes(StandardCharsets.US_ASCII));
  }

  private static JsonNode send(String url, byte @Nullable [] body) {
    try {
      HttpURLConnection connection = (HttpURLConnection) checked(url).toURL().openConnection();
      connection.setInstanceFollowRedirects(false);
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      connection.setRequestProperty("Accept", "application/json");
      if (body != null) {
        connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
        connection.setDoOutput(true);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body);
        }
      }
      int status = connection.getResponseCode();
      try (InputStream in =
          status >= ERRORS_MIN ? connection.getErrorStream() : connection.getInputStream()) {
        JsonNode answer = read(in == null ? new byte[0] : in.readNBytes(BYTES_MAX));
        if (status >= FAULTS_MIN || !answer.isObject()) {
          throw new ClientException("the identity provider answered %d: %s".formatted(status, url));
        }
        return answer;
      }
    } catch (IOException failure) {
      throw new ClientException("the identity provider does not answer: " + failure);
    }
  }

  private static JsonNode read(byte[] body) throws IOException {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException other) {
      return JSON.missingNode();
    }
  }

  /** Tokens are not sent in clear text, whatever the server or the provider says. */
  private static URI checked(String url) throws MalformedURLException {
    URI parsed;
    try {
      parsed = URI.create(url);
    } catch (IllegalArgumentException malformed) {
      throw new MalformedURLException(url);
    }
    boolean safe =
        "https".equals(parsed.getScheme())
            || ("http".equals(parsed.getScheme()) && LOOPBACK.contains(parsed.getHost()));
    if (!safe) {
      throw new ClientException("the identity provider must have https: " + url);
    }
    return parsed;
  }
}
