// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.token;

import io.sluice.scheduler.security.IssuedTokens;
import io.sluice.scheduler.security.TokenGrant;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The issued tokens in memory: all of them, at most {@link CallerTokens#TOKENS_MAX}, with at most
 * two hashes each. {@link TokenRefresh} keeps it current.
 *
 * <p>While the database does not answer, the copy is no longer confirmed. After {@link
 * #CONFIRMED_MAX}, a token that it lacks may have been issued since, so the search has no answer.
 * After {@link #KEPT_MAX}, a token that it has may have been revoked long ago, so it is not
 * accepted any more.
 */
final class TokenCache implements IssuedTokens {
  /** How long a copy that was not confirmed again shows which tokens do not exist. */
  static final Duration CONFIRMED_MAX = Duration.ofSeconds(5);

  /** How long a token is accepted without a confirmation of the copy. */
  static final Duration KEPT_MAX = Duration.ofMinutes(10);

  /** The time between two writes of the last use of a token. */
  static final Duration USE_WRITTEN_EVERY = Duration.ofHours(1);

  /**
   * What is known.
   *
   * @param edits the number of changes that the tokens include; negative: none were read
   * @param confirmedNanos before the read that confirmed it
   */
  private record Copy(long edits, Map<String, TokenGrant> byDigest, long confirmedNanos) {}

  private final LongSupplier nanos;
  private volatile Copy copy;

  /** The last noted use by hash; at most one entry for each hash of the copy. */
  private final Map<String, Instant> uses = new ConcurrentHashMap<>();

  /** Hashes whose use is not written yet. */
  private final Set<String> unwritten = ConcurrentHashMap.newKeySet();

  /**
   * A cache that knows nothing yet.
   *
   * @param nanos a monotonic clock, as {@link System#nanoTime}
   */
  TokenCache(LongSupplier nanos) {
    this.nanos = nanos;
    this.copy = new Copy(-1, Map.of(), nanos.getAsLong() - KEPT_MAX.toNanos() - 1);
  }

  @Override
  public Found find(String digest) {
    Copy current = copy;
    long age = nanos.getAsLong() - current.confirmedNanos();
    TokenGrant grant = current.byDigest().get(digest);
    Duration bound = grant == null ? CONFIRMED_MAX : KEPT_MAX;
    return age > bound.toNanos() ? new Found(null, false) : new Found(grant, true);
  }

  @Override
  public Found named(String name) {
    Copy current = copy;
    if (nanos.getAsLong() - current.confirmedNanos() > CONFIRMED_MAX.toNanos()) {
      return new Found(null, false);
    }
    for (TokenGrant grant : current.byDigest().values()) {
      if (grant.caller().name().equals(name)) {
        return new Found(grant, true);
      }
    }
    return new Found(null, true);
  }

  @Override
  public boolean isAny() {
    return !copy.byDigest().isEmpty();
  }

  @Override
  public void used(TokenGrant grant, Instant now) {
    Instant before = uses.get(grant.digest());
    if (before == null || !now.isBefore(before.plus(USE_WRITTEN_EVERY))) {
      uses.put(grant.digest(), now);
      unwritten.add(grant.digest());
    }
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
    for (StoredToken token : tokens) {
      for (TokenGrant grant : token.grants()) {
        byDigest.put(grant.digest(), grant);
        Instant used = token.times().lastUsedAt();
        if (used != null) {
          uses.merge(grant.digest(), used, (one, other) -> one.isAfter(other) ? one : other);
        }
      }
    }
    copy = new Copy(edits, byDigest, startedNanos);
    uses.keySet().retainAll(byDigest.keySet());
    unwritten.retainAll(byDigest.keySet());
  }

  /**
   * Confirms the copy: no change was committed since.
   *
   * @param startedNanos before the read of the number of changes
   */
  void confirm(long startedNanos) {
    Copy current = copy;
    copy = new Copy(current.edits(), current.byDigest(), startedNanos);
  }

  /** The hashes whose use is to be written. */
  Set<String> unwritten() {
    return new TreeSet<>(unwritten);
  }

  /** The use of these hashes is written. */
  void written(Set<String> digests) {
    unwritten.removeAll(digests);
  }
}
