// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import io.sluice.restmodel.access.CallerSession;
import io.sluice.scheduler.security.BrowserSession;
import io.sluice.scheduler.security.SignIn;
import io.sluice.scheduler.security.session.StoredSession;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sessions as answers. */
final class SessionAnswers {
  private SessionAnswers() {}

  /**
   * A session.
   *
   * @param current the session of the request; null: it has none
   */
  static CallerSession session(StoredSession stored, @Nullable UUID current) {
    BrowserSession session = stored.session();
    return new CallerSession(
        session.id().toString(),
        session.caller(),
        SignIn.way(session.tokenDigest()),
        session.id().equals(current),
        stored.createdAt(),
        session.expiresAt(),
        stored.lastUsedAt());
  }
}
