// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A key manager that presents the current certificate to each new connection. So the certificate
 * can be replaced without a restart of the server, which would refuse connections.
 */
final class ShownKeys extends X509ExtendedKeyManager {
  private volatile X509ExtendedKeyManager now;

  ShownKeys(X509ExtendedKeyManager now) {
    this.now = now;
  }

  void show(X509ExtendedKeyManager next) {
    now = next;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, SSLEngine engine) {
    return now.chooseEngineServerAlias(type, issuers, engine);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return now.chooseServerAlias(type, issuers, socket);
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return now.getServerAliases(type, issuers);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return now.getCertificateChain(alias);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return now.getPrivateKey(alias);
  }

  /** Returns null: it never acts as a client. */
  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return null;
  }
}
