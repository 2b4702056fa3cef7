// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.session;

import io.sluice.scheduler.security.RandomSecret;
import io.sluice.scheduler.security.SignIn;
import io.sluice.scheduler.security.Token;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.RefusedException.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Codes with which a browser begins a session: a user asks for one with a token and passes it to a
 * browser, which never learns the token. A code is valid once, for a minute, on every server.
 */
public final class SignInCodes {
  /** How long a code is valid. */
  public static final Duration LASTS = Duration.ofSeconds(60);

  /** Maximum number of codes of a database. */
  public static final int CODES_MAX = 1000;

  private static final String FAILED = "cannot read or write sign-in codes";

  private final SharedTransactions transactions;
  private final SignInCodeRepository codes;
  private final InstantSource clock;

  SignInCodes(SharedTransactions transactions, SignInCodeRepository codes, InstantSource clock) {
    this.transactions = transactions;
    this.codes = codes;
    this.clock = clock;
  }

  /**
   * A code, which is kept nowhere.
   *
   * @param secret as of {@link RandomSecret}
   */
  public record Code(String secret, Instant expiresAt) {
    /** The secret stays out of logs. */
    @Override
    public String toString() {
      return "Code[until " + expiresAt + "]";
    }
  }

  /**
   * Makes a code for a caller that has signed in.
   *
   * @throws RefusedException if there are {@link #CODES_MAX} codes
   */
  public Code create(SignIn signIn) {
    String secret = RandomSecret.draw();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Instant expiresAt = now.plus(LASTS);
    boolean unused =
        transactions.run(
            FAILED,
            () -> {
              codes.removeExpired(now);
              if (codes.count() >= CODES_MAX) {
                throw new RefusedException(
                    Kind.OVERLOADED,
                    "there are %d sign-in codes, the most that are kept".formatted(CODES_MAX));
              }
              codes.insert(Token.digest(secret), signIn, expiresAt);
              return true;
            });
    return new Code(secret, expiresAt);
  }

  /** Takes a code; null: it is not valid, or no longer. */
  public @Nullable SignIn take(String secret) {
    if (!RandomSecret.isPossible(secret)) {
      return null;
    }
    Taken taken =
        transactions.run(
            FAILED, () -> new Taken(codes.take(Token.digest(secret), clock.instant())));
    return taken.signIn();
  }

  private record Taken(@Nullable SignIn signIn) {}
}
