// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.token;

import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.TokenGrant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A token as stored: hashes only.
 *
 * @param digest SHA-256 of the token, in hexadecimal digits
 * @param former the token before the last rotation; null: there is none
 */
public record StoredToken(Caller caller, String digest, @Nullable Former former, Times times) {
  /**
   * The token before a rotation.
   *
   * @param until the time from which it is refused
   */
  public record Former(String digest, Instant until) {}

  /**
   * The history of a token.
   *
   * @param createdBy name of the caller who created it
   * @param rotatedAt null: never
   * @param expiresAt the time from which it is refused; null: never
   * @param lastUsedAt of a use, exact to {@link TokenCache#USE_WRITTEN_EVERY}; null: never used
   */
  public record Times(
      Instant createdAt,
      String createdBy,
      @Nullable Instant rotatedAt,
      @Nullable Instant expiresAt,
      @Nullable Instant lastUsedAt) {}

  /** Whether it is refused at a time because it has expired. */
  public boolean expired(Instant now) {
    return new TokenGrant(caller, digest, times.expiresAt()).expired(now);
  }

  /** The hashes that authenticate its caller, each with its expiry. */
  List<TokenGrant> grants() {
    List<TokenGrant> grants = new ArrayList<>();
    Instant expiresAt = times.expiresAt();
    grants.add(new TokenGrant(caller, digest, expiresAt));
    if (former != null) {
      boolean first = expiresAt == null || former.until().isBefore(expiresAt);
      grants.add(new TokenGrant(caller, former.digest(), first ? former.until() : expiresAt));
    }
    return grants;
  }
}
