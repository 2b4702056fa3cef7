// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.identity;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a user for one server.
 *
 * @param server URL of the server that they are sent to, and no other
 * @param tokenEndpoint where the provider refreshes them
 * @param idToken the token that the server accepts
 * @param refreshToken null: the provider gave none
 * @param expiresAt of the ID token, in seconds since 1970
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record SavedSignIn(
    String server,
    String issuer,
    String clientId,
    String tokenEndpoint,
    String idToken,
    @Nullable String refreshToken,
    long expiresAt) {
  private static final Duration EARLY = Duration.ofSeconds(30);

  /** Whether the ID token must be refreshed before it is sent. */
  boolean isStale(Instant now) {
    return !now.plus(EARLY).isBefore(Instant.ofEpochSecond(expiresAt));
  }

  /** The tokens stay out of logs. */
  @Override
  public String toString() {
    return "SavedSignIn[" + server + ", " + issuer + "]";
  }
}
