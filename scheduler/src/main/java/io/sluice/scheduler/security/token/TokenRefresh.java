// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.token;

import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.store.SharedTransactions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Keeps the copy of the issued tokens current: reads every {@link #EVERY} how many changes were
 * committed, and all tokens again if that number has changed. The same thread writes when tokens
 * were last used.
 */
final class TokenRefresh implements Part {
  /** With one read in progress, a change is seen within two seconds. */
  private static final Duration EVERY = Duration.ofSeconds(1);

  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);
  private static final String FAILED = "cannot read the issued tokens";
  private static final Logger LOG = Logger.getLogger(TokenRefresh.class);

  private final SharedTransactions transactions;
  private final CallerTokenRepository tokens;
  private final TokenCache cache;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "caller-tokens");
  private boolean failing;

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
    this.transactions = transactions;
    this.tokens = tokens;
    this.cache = cache;
    this.clock = clock;
    this.nanos = nanos;
  }

  @Override
  public StartOrder place() {
    return StartOrder.CALLERS;
  }

  /** Reads the tokens, so that the first request is checked against them. */
  @Override
  public void start() {
    tryRefresh();
    thread.start();
  }

  /** Makes the copy current. */
  synchronized void refresh() {
    long started = nanos.getAsLong();
    boolean unused =
        transactions.run(
            FAILED,
            () -> {
              // Read the number first: tokens that are newer than it are read again next time.
              long edits = tokens.edits();
              if (edits == cache.edits()) {
                cache.confirm(started);
              } else {
                cache.replace(edits, tokens.list("", CallerTokens.TOKENS_MAX), started);
              }
              return true;
            });
  }

  private void writeUses() {
    Set<String> digests = cache.unwritten();
    if (digests.isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    boolean unused =
        transactions.run(
            FAILED,
            () -> {
              tokens.used(digests, now, now.minus(TokenCache.USE_WRITTEN_EVERY));
              return true;
            });
    cache.written(digests);
  }

  private void tryRefresh() {
    try {
      refresh();
      writeUses();
      failing = false;
    } catch (RuntimeException failure) {
      if (!failing) {
        LOG.warnf(
            "issued tokens stay as they were read last, for at most %s: %s",
            TokenCache.KEPT_MAX, failure.getMessage());
      }
      failing = true;
    }
  }

  private void run() {
    try {
      while (!closed.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        tryRefresh();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(CLOSE_MAX.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
