// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.token;

import io.sluice.scheduler.security.IssuedTokens;
import io.sluice.scheduler.security.TokenGrant;
import io.sluice.scheduler.security.copy.ConfirmedCopy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The issued tokens in memory: all of them, at most {@link CallerTokens#TOKENS_MAX}, with at most
 * two hashes each. {@link TokenRefresh} keeps it current.
 */
final class TokenCache implements IssuedTokens {
  /** How long a copy that was not confirmed again shows which tokens do not exist. */
  static final Duration CONFIRMED_MAX = ConfirmedCopy.CONFIRMED_MAX;

  /** How long a token is accepted without a confirmation of the copy. */
  static final Duration KEPT_MAX = ConfirmedCopy.KEPT_MAX;

  /** The time between two writes of the last use of a token. */
  static final Duration USE_WRITTEN_EVERY = Duration.ofHours(1);

  private final ConfirmedCopy<TokenGrant> copy;

  /** The present token of each name, without the one that a rotation has replaced. */
  private volatile Map<String, TokenGrant> byName = Map.of();

  /**
   * A cache that knows nothing yet.
   *
   * @param nanos a monotonic clock, as {@link System#nanoTime}
   */
  TokenCache(LongSupplier nanos) {
    this.copy = new ConfirmedCopy<>(nanos, USE_WRITTEN_EVERY);
  }

  ConfirmedCopy<TokenGrant> copy() {
    return copy;
  }

  @Override
  public Found find(String digest) {
    ConfirmedCopy.Result<TokenGrant> result = copy.find(digest);
    return new Found(result.value(), result.answered());
  }

  @Override
  public Found named(String name) {
    return copy.isConfirmed() ? new Found(byName.get(name), true) : new Found(null, false);
  }

  @Override
  public boolean isAny() {
    return copy.isAny();
  }

  @Override
  public void used(TokenGrant grant, Instant now) {
    copy.used(grant.digest(), now);
  }

  /** The number of changes that the copy includes; negative: it was never read. */
  long edits() {
    return copy.edits();
  }

  /**
   * Replaces the copy.
   *
   * @param startedNanos before the read began
   */
  void replace(long edits, List<StoredToken> tokens, long startedNanos) {
    Map<String, TokenGrant> byDigest = new HashMap<>();
    Map<String, TokenGrant> present = new HashMap<>();
    Map<String, Instant> uses = new HashMap<>();
    for (StoredToken token : tokens) {
      present.put(token.caller().name(), token.grants().get(0));
      for (TokenGrant grant : token.grants()) {
        byDigest.put(grant.digest(), grant);
        Instant used = token.times().lastUsedAt();
        if (used != null) {
          uses.put(grant.digest(), used);
        }
      }
    }
    byName = present;
    copy.replace(edits, byDigest, uses, startedNanos);
  }

  /** Confirms the copy, as {@link ConfirmedCopy#confirm}. */
  void confirm(long startedNanos) {
    copy.confirm(startedNanos);
  }

  /** The hashes whose use is to be written. */
  Set<String> unwritten() {
    return copy.unwritten();
  }

  /** The use of these hashes is written. */
  void written(Set<String> digests) {
    copy.written(digests);
  }
}
