// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.quarkus.arc.All;
import io.sluice.scheduler.config.DataDirectory;
import io.sluice.scheduler.config.ServerSettings;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Makes the checks of tokens and of request origins from the server's settings. */
final class SecurityParts {
  private final ServerSettings settings;

  SecurityParts(ServerSettings settings) {
    this.settings = settings;
  }

  @Produces
  @Singleton
  KnownTokens tokens(IssuedTokens issued) {
    return new KnownTokens(
        DataDirectory.token(settings.data()),
        settings.tokens().orElse(null),
        issued,
        InstantSource.system());
  }

  @Produces
  @Singleton
  Owners owners(KnownTokens tokens, GivenRoles roles) {
    return (name, groups) -> {
      Caller known = name.equals(Caller.SERVER.name()) ? Caller.SERVER : tokens.callerNamed(name);
      Caller owner = known == null ? new Caller(name, new TreeSet<>(groups), List.of()) : known;
      return owner.with(roles.of(name, groups));
    };
  }

  @Produces
  @Singleton
  SessionCookie sessionCookie() {
    return new SessionCookie(
        settings.publicUrl().filter(url -> url.startsWith("https:")).isPresent());
  }

  @Produces
  @Singleton
  Authentication authentication(
      KnownTokens tokens,
      @All List<IdentityTokens> identityTokens,
      BrowserSessions sessions,
      SessionCookie cookie,
      GivenRoles roles) {
    return new Authentication(
        tokens, identityTokens, sessions, cookie, roles, InstantSource.system());
  }

  @Produces
  @Singleton
  PlaceCheck places() throws UnknownHostException {
    boolean loopback = InetAddress.getByName(settings.listen()).isLoopbackAddress();
    List<String> names = new ArrayList<>(settings.allowedHosts().orElse(List.of()));
    settings.publicUrl().map(url -> URI.create(url).getHost()).ifPresent(names::add);
    return new PlaceCheck(settings.listen(), loopback, names);
  }
}
