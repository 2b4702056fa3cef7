// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.token;

import io.sluice.scheduler.security.KnownTokens;
import io.sluice.scheduler.store.SharedTransactions;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Makes the parts that issue tokens and know the issued ones. */
final class TokenParts {
  private final SharedTransactions transactions;
  private final CallerTokenRepository tokens;

  TokenParts(SharedTransactions transactions, CallerTokenRepository tokens) {
    this.transactions = transactions;
    this.tokens = tokens;
  }

  @Produces
  @Singleton
  TokenCache cache() {
    return new TokenCache(System::nanoTime);
  }

  @Produces
  @Singleton
  TokenRefresh refresh(TokenCache cache) {
    return new TokenRefresh(transactions, tokens, cache, InstantSource.system(), System::nanoTime);
  }

  @Produces
  @Singleton
  CallerTokens callerTokens(TokenRefresh refresh, KnownTokens known) {
    return new CallerTokens(transactions, tokens, refresh, known, InstantSource.system());
  }
}
