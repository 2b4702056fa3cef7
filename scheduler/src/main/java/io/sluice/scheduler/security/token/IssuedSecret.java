// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.token;

import io.sluice.scheduler.security.IssuedTokens;
import io.sluice.scheduler.security.RandomSecret;

/**
 * A new token, which only the answer to its request contains.
 *
 * @param secret the token itself
 * @param stored the part that the database keeps
 */
public record IssuedSecret(String secret, StoredToken stored) {
  /** Draws a token. */
  static String draw() {
    return IssuedTokens.PREFIX + RandomSecret.draw();
  }

  /** The secret stays out of logs. */
  @Override
  public String toString() {
    return "IssuedSecret[" + stored.caller().name() + "]";
  }
}
