// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.session;

import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.security.BrowserSession;
import io.sluice.scheduler.security.BrowserSessions;
import io.sluice.scheduler.security.copy.ConfirmedCopy;
import io.sluice.scheduler.security.copy.CopyRefresh;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The sessions in memory, kept current: all of them, at most {@link CallerSessions#SESSIONS_MAX}.
 */
final class SessionRefresh extends CopyRefresh implements BrowserSessions {
  /** The time between two writes of the last use of a session. */
  static final Duration USE_WRITTEN_EVERY = Duration.ofMinutes(10);

  /** The least time between two reads for cookies that are not known: they may be forged. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final SessionRepository sessions;
  private final ConfirmedCopy<BrowserSession> copy;
  private final InstantSource clock;

  private SessionRefresh(
      SharedTransactions transactions,
      SessionRepository sessions,
      ConfirmedCopy<BrowserSession> copy,
      InstantSource clock,
      LongSupplier nanos) {
    super(transactions, copy, nanos, "sessions", "caller-sessions");
    this.sessions = sessions;
    this.copy = copy;
    this.clock = clock;
  }

  /**
   * A refresh that is not started.
   *
   * @param nanos a monotonic clock, as {@link System#nanoTime}
   */
  static SessionRefresh of(
      SharedTransactions transactions,
      SessionRepository sessions,
      InstantSource clock,
      LongSupplier nanos) {
    return new SessionRefresh(
        transactions, sessions, new ConfirmedCopy<>(nanos, USE_WRITTEN_EVERY), clock, nanos);
  }

  @Override
  public Found find(String digest) {
    ConfirmedCopy.Result<BrowserSession> result = copy.find(digest);
    return new Found(result.value(), result.answered());
  }

  @Override
  public Found findNow(String digest) {
    try {
      refreshSince(PAUSE);
      return find(digest);
    } catch (StoreException failure) {
      return new Found(null, false);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Found(null, false);
    }
  }

  @Override
  public void used(BrowserSession session, Instant now) {
    copy.used(session.digest(), now);
  }

  @Override
  public StartOrder place() {
    return StartOrder.SESSIONS;
  }

  @Override
  protected long edits() {
    return sessions.edits();
  }

  @Override
  protected void readAll(long edits, long startedNanos) {
    Map<String, BrowserSession> byDigest = new HashMap<>();
    Map<String, Instant> uses = new HashMap<>();
    for (StoredSession stored : sessions.valid(clock.instant())) {
      String digest = stored.session().digest();
      byDigest.put(digest, stored.session());
      Instant used = stored.lastUsedAt();
      if (used != null) {
        uses.put(digest, used);
      }
    }
    copy.replace(edits, byDigest, uses, startedNanos);
  }

  @Override
  protected void writeUses(Set<String> digests) {
    Instant now = clock.instant();
    sessions.used(digests, now, now.minus(USE_WRITTEN_EVERY));
  }
}
