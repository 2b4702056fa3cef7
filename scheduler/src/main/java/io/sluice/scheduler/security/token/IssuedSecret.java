// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.token;

import io.sluice.scheduler.security.IssuedTokens;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * A new token, which only the answer to its request contains.
 *
 * @param secret the token itself
 * @param stored the part that the database keeps
 */
public record IssuedSecret(String secret, StoredToken stored) {
  private static final int BYTES = 32;

  /** Draws a token of 256 random bits. */
  static String draw(SecureRandom random) {
    byte[] bits = new byte[BYTES];
    random.nextBytes(bits);
    return IssuedTokens.PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
  }

  /** The secret stays out of logs. */
  @Override
  public String toString() {
    return "IssuedSecret[" + stored.caller().name() + "]";
  }
}
