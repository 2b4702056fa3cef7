// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.sluice.scheduler.config.ServerSettings;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;

/**
 * Asks clients for certificates, as the options say. Quarkus's own setting, {@code
 * quarkus.http.ssl.client-auth}, is fixed when the server is built.
 */
@Singleton
final class ClientCertificates implements HttpServerOptionsCustomizer {
  private final ClientAuth asked;

  ClientCertificates(ServerSettings settings) {
    if (settings.requireClientCertificate()) {
      this.asked = ClientAuth.REQUIRED;
    } else {
      this.asked = settings.tlsClientCa().isPresent() ? ClientAuth.REQUEST : ClientAuth.NONE;
    }
  }

  @Override
  public void customizeHttpsServer(HttpServerOptions options) {
    options.setClientAuth(asked);
  }
}
