// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.sluice.scheduler.config.DataDirectory;
import io.sluice.scheduler.config.ServerSettings;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.List;

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
  PlaceCheck places() throws UnknownHostException {
    boolean loopback = InetAddress.getByName(settings.listen()).isLoopbackAddress();
    return new PlaceCheck(settings.listen(), loopback, settings.allowedHosts().orElse(List.of()));
  }
}
