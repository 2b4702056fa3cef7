// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A caller whose identity is established, and how.
 *
 * @param until when the credential of the request expires; null: it does not
 * @param tokenDigest SHA-256 of the token of Sluice that names the caller; null: the identity
 *     provider does
 * @param session the session of a browser; null: the request has a token
 */
public record SignIn(
    Caller caller, @Nullable Instant until, @Nullable String tokenDigest, @Nullable UUID session) {

  /** The same sign-in, with further roles. */
  SignIn with(GivenRoles roles) {
    return new SignIn(
        caller.with(roles.of(caller.name(), caller.groups())), until, tokenDigest, session);
  }

  /**
   * How a caller proved its identity at first: {@code token} or {@code identity-provider}.
   *
   * @param tokenDigest as of a sign-in
   */
  public static String way(@Nullable String tokenDigest) {
    return tokenDigest == null ? "identity-provider" : "token";
  }
}
