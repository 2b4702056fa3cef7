// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A key manager that presents the current certificate to each new connection. So a certificate can
 * be replaced while the server accepts connections: Vert.x refuses those that come while its own
 * TLS options are replaced.
 *
 * <p>A handshake asks for the name of a key, then for the key, then for its certificates. A name
 * has the number of its pair, so that a handshake gets all three of one pair.
 */
public final class ShownKeys extends X509ExtendedKeyManager {
  private static final char END = ':';

  /** A pair, and the one before it, which handshakes under way still ask for. */
  private record Shown(int number, X509ExtendedKeyManager now, X509ExtendedKeyManager before) {
    @Nullable String named(@Nullable String alias) {
      return alias == null ? null : number + String.valueOf(END) + alias;
    }
  }

  private volatile Shown shown;

  /**
   * Presents a first pair.
   *
   * @param first its key manager
   */
  public ShownKeys(X509ExtendedKeyManager first) {
    this.shown = new Shown(0, first, first);
  }

  /** Presents another pair to the connections that come from now on. */
  public synchronized void show(X509ExtendedKeyManager next) {
    shown = new Shown(shown.number + 1, next, shown.now);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, SSLEngine engine) {
    Shown current = shown;
    return current.named(current.now.chooseEngineServerAlias(type, issuers, engine));
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    Shown current = shown;
    return current.named(current.now.chooseServerAlias(type, issuers, socket));
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    Shown current = shown;
    String[] aliases = current.now.getServerAliases(type, issuers);
    if (aliases == null) {
      return null;
    }
    String[] named = new String[aliases.length];
    for (int index = 0; index < aliases.length; index++) {
      named[index] = current.number + String.valueOf(END) + aliases[index];
    }
    return named;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return of(alias, (keys, own) -> keys.getCertificateChain(own));
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return of(alias, (keys, own) -> keys.getPrivateKey(own));
  }

  /** Asks the pair that a name was chosen from. */
  private <T> @Nullable T of(String alias, Asked<T> asked) {
    Shown current = shown;
    int end = alias.indexOf(END);
    if (end < 0) {
      return null;
    }
    boolean present = alias.substring(0, end).equals(Integer.toString(current.number));
    return asked.in(present ? current.now : current.before, alias.substring(end + 1));
  }

  private interface Asked<T> {
    @Nullable T in(X509ExtendedKeyManager keys, String alias);
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
