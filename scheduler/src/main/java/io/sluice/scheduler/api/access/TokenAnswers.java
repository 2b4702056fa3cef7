// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import io.sluice.restmodel.access.CallerToken;
import io.sluice.scheduler.security.token.StoredToken;
import java.time.Instant;

/** Converts stored tokens to answers. */
final class TokenAnswers {
  private TokenAnswers() {}

  /**
   * The answer about a token.
   *
   * @param shadowed whether the tokens file of this server has a caller of its name
   */
  static CallerToken token(StoredToken token, boolean shadowed, Instant now) {
    StoredToken.Former former = token.former();
    StoredToken.Times times = token.times();
    return new CallerToken(
        token.caller().name(),
        token.caller().role().word(),
        token.caller().namespaces().words(),
        state(token, shadowed, now),
        times.createdAt(),
        times.createdBy(),
        times.rotatedAt(),
        former == null || !now.isBefore(former.until()) ? null : former.until(),
        times.expiresAt(),
        times.lastUsedAt());
  }

  private static String state(StoredToken token, boolean shadowed, Instant now) {
    if (shadowed) {
      return "shadowed";
    }
    return token.expired(now) ? "expired" : "valid";
  }
}
