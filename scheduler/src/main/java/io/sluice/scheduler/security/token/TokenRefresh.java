// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.token;

import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.security.copy.CopyRefresh;
import io.sluice.scheduler.store.SharedTransactions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.LongSupplier;

/** Keeps the copy of the issued tokens current. */
final class TokenRefresh extends CopyRefresh {
  private final CallerTokenRepository tokens;
  private final TokenCache cache;
  private final InstantSource clock;

  /**
   * A refresh that is not started.
   *
   * @param nanos the clock of the cache
   */
  TokenRefresh(
      SharedTransactions transactions,
      CallerTokenRepository tokens,
      TokenCache cache,
      InstantSource clock,
      LongSupplier nanos) {
    super(transactions, cache.copy(), nanos, "issued tokens", "caller-tokens");
    this.tokens = tokens;
    this.cache = cache;
    this.clock = clock;
  }

  @Override
  public StartOrder place() {
    return StartOrder.CALLERS;
  }

  @Override
  protected long edits() {
    return tokens.edits();
  }

  @Override
  protected void readAll(long edits, long startedNanos) {
    cache.replace(edits, tokens.list("", CallerTokens.TOKENS_MAX), startedNanos);
  }

  @Override
  protected void writeUses(Set<String> digests) {
    Instant now = clock.instant();
    tokens.used(digests, now, now.minus(TokenCache.USE_WRITTEN_EVERY));
  }
}
