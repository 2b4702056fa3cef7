// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import org.jspecify.annotations.Nullable;

/** Tokens that an identity provider signs. */
public interface IdentityTokens {
  /** Without an identity provider, no token is one of it. */
  IdentityTokens NONE =
      new IdentityTokens() {
        @Override
        public boolean isExpected(String token) {
          return false;
        }

        @Override
        public Verdict known(String token) {
          return verify(token);
        }

        @Override
        public Verdict verify(String token) {
          return Verdict.refused("this server has no identity provider");
        }
      };

  /** Whether a token may be one of an identity provider, by its form. */
  boolean isExpected(String token);

  /** Authenticates a token without a wait; null: it must be verified first. */
  @Nullable Verdict known(String token);

  /** Authenticates a token. May wait for the identity provider. */
  Verdict verify(String token);
}
