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
 * Shows the certificate that there is now to each connection that is made, so that one is taken for
 * another between two of them: the server itself would turn callers away while it changes.
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

  /** As a client it is nobody. */
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
