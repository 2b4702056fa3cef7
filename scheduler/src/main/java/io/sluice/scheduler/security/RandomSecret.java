// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/** Secrets that admit whoever has them: 256 random bits in base64url. */
public final class RandomSecret {
  /** The form of a secret, as a regular expression. */
  static final String PATTERN = "[A-Za-z0-9_-]{43}";

  private static final Pattern FORM = Pattern.compile(PATTERN);
  private static final int BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private RandomSecret() {}

  /** Draws a secret. */
  public static String draw() {
    byte[] bits = new byte[BYTES];
    RANDOM.nextBytes(bits);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
  }

  /** Whether a text may be a secret, so that a search for it makes sense. */
  public static boolean isPossible(String text) {
    return FORM.matcher(text).matches();
  }
}
