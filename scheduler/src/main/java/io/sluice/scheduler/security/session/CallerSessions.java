// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.session;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.security.BrowserSession;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.RandomSecret;
import io.sluice.scheduler.security.SignIn;
import io.sluice.scheduler.security.Token;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.AuditRows;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.RefusedException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The beginning and end of sessions. Each call is one transaction, whose audit record names its
 * caller. A change is in effect on this server when the call returns. A beginning is in effect on
 * other servers at once, an end within two seconds.
 */
public final class CallerSessions {
  /** How long a session lasts. Its use does not extend it. */
  public static final Duration LASTS = Duration.ofHours(12);

  /** Maximum number of sessions of a caller; a further one ends the oldest. */
  public static final int OF_CALLER_MAX = 20;

  /** Maximum number of sessions of a database. */
  public static final int SESSIONS_MAX = 10_000;

  private static final String KIND = "Session";
  private static final String FAILED = "cannot read or write sessions";
  private static final Logger LOG = Logger.getLogger(CallerSessions.class);

  private final SharedTransactions transactions;
  private final SessionRepository sessions;
  private final SessionRefresh refresh;
  private final InstantSource clock;

  CallerSessions(
      SharedTransactions transactions,
      SessionRepository sessions,
      SessionRefresh refresh,
      InstantSource clock) {
    this.transactions = transactions;
    this.sessions = sessions;
    this.refresh = refresh;
    this.clock = clock;
  }

  /**
   * A session that has begun.
   *
   * @param secret the value of its cookie, which is kept nowhere
   */
  public record Begun(String secret, StoredSession stored) {
    /** The secret stays out of logs. */
    @Override
    public String toString() {
      return "Begun[" + stored.session().id() + "]";
    }
  }

  /**
   * Begins a session of a caller that has signed in. It ends with the credential of the sign-in, if
   * that expires before.
   *
   * @throws RefusedException if there are {@link #SESSIONS_MAX} sessions
   */
  public Begun begin(SignIn signIn) {
    Instant now = now();
    String secret = RandomSecret.draw();
    Caller caller = signIn.caller();
    Instant until = signIn.until();
    Instant latest = now.plus(LASTS);
    BrowserSession session =
        new BrowserSession(
            UUID.randomUUID(),
            Token.digest(secret),
            caller.name(),
            caller.groups(),
            signIn.tokenDigest(),
            until == null || latest.isBefore(until) ? latest : until);
    StoredSession stored = new StoredSession(session, now, null);
    change(
        connection -> {
          sessions.removeExpired(now);
          sessions.removeOldest(caller.name(), OF_CALLER_MAX - 1);
          if (sessions.count() >= SESSIONS_MAX) {
            throw new RefusedException(
                Kind.OVERLOADED,
                "there are %d sessions, the most that are kept".formatted(SESSIONS_MAX));
          }
          sessions.insert(stored);
          audit(connection, caller, AuditEntry.Action.CREATE, stored);
        });
    return new Begun(secret, stored);
  }

  /**
   * Ends a session.
   *
   * @param of the caller that the session must be of; null: any
   * @throws RefusedException if there is none
   */
  public void end(UUID id, @Nullable String of, Caller caller) {
    change(
        connection -> {
          StoredSession before = sessions.byId(id);
          if (before == null || (of != null && !of.equals(before.session().caller()))) {
            throw new RefusedException(Kind.NOT_FOUND, "there is no session " + id);
          }
          boolean unused = sessions.remove(id);
          audit(connection, caller, AuditEntry.Action.DELETE, before);
        });
  }

  /**
   * Valid sessions, ordered by caller and id.
   *
   * @param of null: those of all callers
   * @param after returns only later ones; null: starts with the first
   */
  public List<StoredSession> list(
      @Nullable String of, SessionRepository.@Nullable Place after, int most) {
    return transactions.run(FAILED, () -> sessions.list(of, after, clock.instant(), most));
  }

  /** A change of sessions, within a transaction. */
  private interface Change {
    void make(Connection connection) throws SQLException;
  }

  private void change(Change change) {
    boolean unused =
        transactions.run(
            FAILED,
            connection -> {
              sessions.edit();
              change.make(connection);
              return true;
            });
    try {
      refresh.refresh();
    } catch (StoreException failure) {
      // The change is committed. The next refresh reads it.
      LOG.warnf("a change of sessions is in effect a little later: %s", failure.getMessage());
    }
  }

  /** PostgreSQL stores microseconds. */
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static void audit(
      Connection connection, Caller caller, AuditEntry.Action action, StoredSession stored)
      throws SQLException {
    BrowserSession session = stored.session();
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.put("caller", session.caller());
    detail.put("expiresAt", session.expiresAt().toString());
    AuditRows.insert(
        connection,
        List.of(new AuditEntry(caller, action, KIND, "", session.id().toString(), null, detail)));
  }
}
