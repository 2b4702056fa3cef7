// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import org.jspecify.annotations.Nullable;

/** Tokens that an identity provider signs. */
public interface IdentityTokens {
  /** Whether a token may be one of an identity provider, by its form. */
  boolean isExpected(String token);

  /** Authenticates a token without a wait; null: it must be verified first. */
  @Nullable Verdict known(String token);

  /** Authenticates a token. May wait for the identity provider. */
  Verdict verify(String token);
}
