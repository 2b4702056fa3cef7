// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.token;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.KnownTokens;
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
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The operations of administrators on issued tokens. Each call is one transaction, whose audit
 * record names its caller. A change is in effect on this server when the call returns, and on other
 * servers within two seconds.
 */
public final class CallerTokens {
  /** Maximum number of tokens of a database. */
  public static final int TOKENS_MAX = 10_000;

  /** Maximum time for which a token is valid, unless it does not expire. */
  public static final Duration VALID_MAX = Duration.ofDays(3660);

  /** Maximum time for which a token stays valid after its rotation. */
  public static final Duration GRACE_MAX = Duration.ofDays(30);

  private static final String KIND = "Token";
  private static final String FAILED = "cannot read or write issued tokens";
  private static final Logger LOG = Logger.getLogger(CallerTokens.class);

  private final SharedTransactions transactions;
  private final CallerTokenRepository tokens;
  private final TokenRefresh refresh;
  private final KnownTokens known;
  private final InstantSource clock;

  /**
   * Operations of one server.
   *
   * @param known the callers of this server's file, whose names are taken
   */
  CallerTokens(
      SharedTransactions transactions,
      CallerTokenRepository tokens,
      TokenRefresh refresh,
      KnownTokens known,
      InstantSource clock) {
    this.transactions = transactions;
    this.tokens = tokens;
    this.refresh = refresh;
    this.known = known;
    this.clock = clock;
  }

  /** Tokens, ordered by name; only those after a name, which may be empty. */
  public List<StoredToken> list(String after, int most) {
    return transactions.run(FAILED, () -> tokens.list(after, most));
  }

  /**
   * A token.
   *
   * @throws RefusedException if there is none
   */
  public StoredToken find(String name) {
    return transactions.run(FAILED, () -> require(name));
  }

  private StoredToken require(String name) {
    StoredToken found = tokens.named(name);
    if (found == null) {
      throw new RefusedException(Kind.NOT_FOUND, "there is no token " + name);
    }
    return found;
  }

  /** Whether this server's tokens file has a caller of the name of a token, and so refuses it. */
  public boolean isShadowed(StoredToken token) {
    return known.isNamed(token.caller().name());
  }

  /**
   * Issues a token.
   *
   * @param of the caller that it is for
   * @param expiresAt the time from which it is refused; null: never
   * @throws RefusedException if the name is taken, the time is not allowed, or there are {@link
   *     #TOKENS_MAX} tokens
   */
  public IssuedSecret create(Caller of, @Nullable Instant expiresAt, Caller creator) {
    Instant now = now();
    if (expiresAt != null && !(expiresAt.isAfter(now) && !expiresAt.isAfter(now.plus(VALID_MAX)))) {
      throw new RefusedException(
          Kind.UNPROCESSABLE,
          "expiresAt must be after now and at most %d days ahead, it is %s"
              .formatted(VALID_MAX.toDays(), expiresAt));
    }
    if (known.isNamed(of.name())) {
      throw new RefusedException(
          Kind.ALREADY_EXISTS,
          "the name %s is taken by the tokens file of this server or by its own token"
              .formatted(of.name()));
    }
    String secret = IssuedSecret.draw();
    StoredToken token =
        new StoredToken(
            of,
            Token.digest(secret),
            null,
            new StoredToken.Times(now, creator.name(), null, expiresAt, null));
    change(
        connection -> {
          if (tokens.named(of.name()) != null) {
            throw new RefusedException(
                Kind.ALREADY_EXISTS,
                "there is a token " + of.name() + " already: rotate or revoke it");
          }
          if (tokens.count() >= TOKENS_MAX) {
            throw new RefusedException(
                Kind.UNPROCESSABLE,
                "there are %d tokens, the most that are kept: revoke some".formatted(TOKENS_MAX));
          }
          tokens.insert(token);
          audit(connection, creator, AuditEntry.Action.CREATE, of.name(), detail(token));
          return token;
        });
    return new IssuedSecret(secret, token);
  }

  /**
   * Replaces a token by a new one of the same caller and expiry.
   *
   * @param grace for how long the replaced token stays valid; one that an earlier rotation replaced
   *     is refused from now on
   * @throws RefusedException if there is none, it has expired, or the grace is longer than {@link
   *     #GRACE_MAX}
   */
  public IssuedSecret rotate(String name, Duration grace, Caller caller) {
    if (grace.isNegative() || grace.compareTo(GRACE_MAX) > 0) {
      throw new RefusedException(
          Kind.UNPROCESSABLE, "grace must be at most %dh".formatted(GRACE_MAX.toHours()));
    }
    String secret = IssuedSecret.draw();
    StoredToken rotated =
        change(
            connection -> {
              StoredToken before = require(name);
              Instant now = now();
              if (before.expired(now)) {
                throw new RefusedException(
                    Kind.CONFLICT,
                    "the token of %s expired %s: revoke it and create another"
                        .formatted(name, before.times().expiresAt()));
              }
              StoredToken.Former former =
                  grace.isZero() ? null : new StoredToken.Former(before.digest(), now.plus(grace));
              tokens.rotate(name, Token.digest(secret), former, now);
              ObjectNode detail = JsonNodeFactory.instance.objectNode();
              if (former != null) {
                detail.put("formerValidUntil", former.until().toString());
              }
              audit(connection, caller, AuditEntry.Action.ROTATE, name, detail);
              return require(name);
            });
    return new IssuedSecret(secret, rotated);
  }

  /**
   * Revokes a token: it and the one that it replaced are refused from now on.
   *
   * @throws RefusedException if there is none
   */
  public void revoke(String name, Caller caller) {
    StoredToken unused =
        change(
            connection -> {
              StoredToken before = require(name);
              tokens.remove(name);
              audit(connection, caller, AuditEntry.Action.DELETE, name, detail(before));
              return before;
            });
  }

  /** A change of tokens, within a transaction. */
  private interface Change {
    StoredToken make(Connection connection) throws SQLException;
  }

  private StoredToken change(Change change) {
    StoredToken changed =
        transactions.run(
            FAILED,
            connection -> {
              tokens.edit();
              return change.make(connection);
            });
    try {
      refresh.refresh();
    } catch (StoreException failure) {
      // The change is committed. The next refresh reads it.
      LOG.warnf("a change of tokens is in effect a little later: %s", failure.getMessage());
    }
    return changed;
  }

  /** PostgreSQL stores microseconds. */
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static ObjectNode detail(StoredToken token) {
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.put("role", token.caller().role().word());
    token.caller().namespaces().words().forEach(detail.putArray("namespaces")::add);
    Instant expiresAt = token.times().expiresAt();
    if (expiresAt != null) {
      detail.put("expiresAt", expiresAt.toString());
    }
    return detail;
  }

  private static void audit(
      Connection connection,
      Caller caller,
      AuditEntry.Action action,
      String name,
      ObjectNode detail)
      throws SQLException {
    AuditRows.insert(
        connection, List.of(new AuditEntry(caller, action, KIND, "", name, null, detail)));
  }
}
