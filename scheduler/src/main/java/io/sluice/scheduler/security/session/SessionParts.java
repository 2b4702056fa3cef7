// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.session;

import io.sluice.scheduler.store.SharedTransactions;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Makes the parts that begin, end and know sessions. */
final class SessionParts {
  private final SharedTransactions transactions;
  private final SessionRepository sessions;
  private final SignInCodeRepository codes;

  SessionParts(
      SharedTransactions transactions, SessionRepository sessions, SignInCodeRepository codes) {
    this.transactions = transactions;
    this.sessions = sessions;
    this.codes = codes;
  }

  @Produces
  @Singleton
  SessionRefresh refresh() {
    return SessionRefresh.of(transactions, sessions, InstantSource.system(), System::nanoTime);
  }

  @Produces
  @Singleton
  CallerSessions sessions(SessionRefresh refresh) {
    return new CallerSessions(transactions, sessions, refresh, InstantSource.system());
  }

  @Produces
  @Singleton
  SignInCodes codes() {
    return new SignInCodes(transactions, codes, InstantSource.system());
  }
}
