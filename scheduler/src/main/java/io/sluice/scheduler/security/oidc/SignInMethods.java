// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.oidc;

import java.util.Optional;

/**
 * The ways to sign in beside tokens of Sluice.
 *
 * @param provider empty: there is no identity provider
 * @param browser the sign-in of browsers at it
 */
public record SignInMethods(Optional<ProviderSettings> provider, Optional<BrowserSignIn> browser) {}
