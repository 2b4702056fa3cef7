// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
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
  private record Shown(int number, ServingCertificate pair, ServingCertificate before) {
    X509ExtendedKeyManager now() {
      return pair.keys();
    }

    String start() {
      return number + String.valueOf(END);
    }

    @Nullable String named(@Nullable String alias) {
      return alias == null ? null : start() + alias;
    }
  }

  private volatile Shown shown;

  /** Presents a first pair. */
  public ShownKeys(ServingCertificate first) {
    this.shown = new Shown(0, first, first);
  }

  /** Returns the pair that new connections get. */
  ServingCertificate present() {
    return shown.pair;
  }

  /** Whether a pair has the files of the present one. */
  public boolean presents(ServingCertificate pair) {
    return pair.files().equals(present().files());
  }

  /** Presents another pair to the connections that come from now on. */
  public synchronized void show(ServingCertificate next) {
    shown = new Shown(shown.number + 1, next, shown.pair);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, SSLEngine engine) {
    Shown current = shown;
    return current.named(current.now().chooseEngineServerAlias(type, issuers, engine));
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    Shown current = shown;
    return current.named(current.now().chooseServerAlias(type, issuers, socket));
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    Shown current = shown;
    String[] aliases = current.now().getServerAliases(type, issuers);
    if (aliases == null) {
      return null;
    }
    return Arrays.stream(aliases).map(alias -> current.start() + alias).toArray(String[]::new);
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
    ServingCertificate pair = alias.startsWith(current.start()) ? current.pair : current.before;
    return asked.in(pair.keys(), alias.substring(end + 1));
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
