// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.oidc;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A sign-in that has begun, as the cookie of its browser keeps it.
 *
 * @param state by which the provider's answer is known to be that to this browser
 * @param nonce by which the ID token is known to be that of this sign-in
 * @param verifier the secret of PKCE
 * @param target the path that the browser shows in the end
 */
public record SignInAttempt(String state, String nonce, String verifier, String target) {
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_~-]{43,128}");
  private static final int WORDS = 4;
  private static final int TARGET_MAX = 1000;

  /** A path of this server, with a query: no browser takes it for an address elsewhere. */
  private static final Pattern LOCAL = Pattern.compile("/(?![/\\\\])[!-~&&[^\\\\]]*");

  /** Whether a target is a path of this server. */
  public static boolean isLocal(String target) {
    return target.length() <= TARGET_MAX && LOCAL.matcher(target).matches();
  }

  /** The value of the cookie. */
  public String encode() {
    return String.join(
        ".",
        state,
        nonce,
        verifier,
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(target.getBytes(StandardCharsets.UTF_8)));
  }

  /** Reads the value of a cookie, which may be forged; null: it is none. */
  public static @Nullable SignInAttempt decode(String value) {
    String[] words = value.split("\\.", -1);
    if (words.length != WORDS) {
      return null;
    }
    for (int i = 0; i < WORDS - 1; i++) {
      if (!WORD.matcher(words[i]).matches()) {
        return null;
      }
    }
    try {
      String target =
          new String(Base64.getUrlDecoder().decode(words[WORDS - 1]), StandardCharsets.UTF_8);
      return isLocal(target) ? new SignInAttempt(words[0], words[1], words[2], target) : null;
    } catch (IllegalArgumentException undecodable) {
      return null;
    }
  }
}
