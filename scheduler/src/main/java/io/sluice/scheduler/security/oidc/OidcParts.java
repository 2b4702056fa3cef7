// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.oidc;

import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.security.IdentityTokens;
import io.sluice.scheduler.security.KnownTokens;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes the parts of the identity provider, if the server has one. */
final class OidcParts {
  private final @Nullable ProviderSettings settings;
  private final @Nullable ProviderConnection connection;
  private final ClaimedCaller claims;

  OidcParts(ServerSettings settings, KnownTokens known) {
    ProviderFiles files =
        new ProviderFiles(
            settings.oidcClientSecretFile().orElse(null), settings.oidcCaFile().orElse(null));
    String issuer = settings.oidcIssuer().orElse(null);
    ProviderSettings.Claims names =
        new ProviderSettings.Claims(
            settings.oidcUsernameClaim(),
            settings.oidcUsernamePrefix().orElse(""),
            settings.oidcGroupsClaim(),
            settings.oidcGroupsPrefix().orElse(""));
    this.claims = new ClaimedCaller(names, known::isTaken);
    if (issuer == null) {
      this.settings = null;
      this.connection = null;
      return;
    }
    String client = settings.oidcClientId().orElseThrow();
    Set<String> audiences = new TreeSet<>(settings.oidcAudience().orElse(List.of()));
    audiences.add(client);
    this.settings = new ProviderSettings(issuer, client, files.secret(), audiences, names);
    this.connection = new ProviderConnection(issuer, files.trust(), System::nanoTime);
  }

  @Produces
  @Singleton
  IdentityTokens tokens() {
    ProviderSettings provider = settings;
    ProviderConnection connected = connection;
    return provider == null || connected == null
        ? IdentityTokens.NONE
        : new ProviderTokens(provider, connected, claims, InstantSource.system());
  }

  @Produces
  @Singleton
  SignInMethods methods() {
    ProviderSettings provider = settings;
    ProviderConnection connected = connection;
    return new SignInMethods(
        Optional.ofNullable(provider),
        provider == null || connected == null
            ? Optional.empty()
            : Optional.of(new BrowserSignIn(provider, connected, claims)));
  }
}
