// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import io.quarkus.tls.CertificateUpdatedEvent;
import io.quarkus.tls.runtime.KeyStoreAndKeyCertOptions;
import io.quarkus.tls.runtime.KeyStoreProvider;
import io.quarkus.tls.runtime.TrustStoreAndTrustOptions;
import io.quarkus.tls.runtime.TrustStoreProvider;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.scheduler.config.DataDirectory;
import io.sluice.scheduler.config.ServerSettings;
import io.smallrye.common.annotation.Identifier;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The TLS configuration of the REST API, for Quarkus's TLS registry, which asks for it at start and
 * at each {@code quarkus.tls.server.reload-period}. Invalid files leave the former ones in use: the
 * registry changes nothing if a provider throws. It does not log that, so this class does.
 *
 * <p>The certificate is also written to the data directory, where clients on this machine find it.
 */
@Singleton
@Identifier(ServerTls.NAME)
final class ServerTls implements KeyStoreProvider, TrustStoreProvider {
  /** Name of the configuration in the registry. */
  static final String NAME = "server";

  private static final Logger LOG = Logger.getLogger(ServerTls.class);

  private final @Nullable TlsFiles files;
  private final Path data;
  private @Nullable ServingCertificate read;
  private @Nullable KeyStoreAndKeyCertOptions keys;
  private @Nullable Buffer authorities;
  private @Nullable TrustStoreAndTrustOptions trust;
  private @Nullable X509Certificate inUse;

  /** The error of the last invalid files, to log it once. */
  private String unusable = "";

  ServerTls(ServerSettings settings) {
    this.data = settings.data();
    this.files =
        settings
            .tlsCertificate()
            .map(
                certificate ->
                    new TlsFiles(
                        certificate,
                        settings.tlsKey().orElseThrow(),
                        settings.tlsClientCa().orElse(null)))
            .orElse(null);
  }

  @Override
  public synchronized @Nullable KeyStoreAndKeyCertOptions getKeyStore(Vertx vertx) {
    TlsFiles from = files;
    return from == null ? null : guarded(() -> keysOf(from.readKeys(vertx)));
  }

  @Override
  public synchronized @Nullable TrustStoreAndTrustOptions getTrustStore(Vertx vertx) {
    Path from = files == null ? null : files.clientCa();
    return from == null ? null : guarded(() -> trustIn(TlsFiles.readAuthorities(from), vertx));
  }

  /** Logs why files cannot be used, once for each reason. */
  private <T> T guarded(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (InvalidValueException wrong) {
      String reason = String.valueOf(wrong.getMessage());
      if (!reason.equals(unusable)) {
        unusable = reason;
        LOG.errorf("the former certificate stays in use: %s", reason);
      }
      throw wrong;
    }
  }

  private KeyStoreAndKeyCertOptions keysOf(ServingCertificate now) {
    ServingCertificate before = read;
    KeyStoreAndKeyCertOptions known = keys;
    if (before != null && known != null && before.files().equals(now.files())) {
      return known;
    }
    announce(now.leaf(), before == null ? now.leaf() : before.leaf());
    KeyStoreAndKeyCertOptions made =
        new KeyStoreAndKeyCertOptions(store(now.leaf()), KeyCertOptions.wrap(now.keys()));
    read = now;
    keys = made;
    inUse = inUse == null ? now.leaf() : inUse;
    return made;
  }

  /** The registry needs a store; the server presents the certificate by its key manager. */
  private static KeyStore store(X509Certificate leaf) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry(NAME, leaf);
      return store;
    } catch (GeneralSecurityException | IOException failure) {
      throw new InvalidValueException("the certificate cannot be stored: " + failure.getMessage());
    }
  }

  private TrustStoreAndTrustOptions trustIn(Buffer now, Vertx vertx) {
    TrustStoreAndTrustOptions known = trust;
    if (known != null && now.equals(authorities)) {
      return known;
    }
    PemTrustOptions options = new PemTrustOptions().addCertValue(now);
    try {
      TrustStoreAndTrustOptions made =
          new TrustStoreAndTrustOptions(options.loadKeyStore(vertx), options);
      authorities = now;
      trust = made;
      return made;
    } catch (Exception wrong) {
      throw new InvalidValueException(
          "the certificates for clients cannot be used: " + wrong.getMessage());
    }
  }

  /**
   * Writes the certificate for clients on this machine, and with it the previous one, which new
   * connections get until the HTTP server has the new one.
   */
  private void announce(X509Certificate leaf, X509Certificate previous) {
    DataDirectory.announceCertificates(
        data, previous.equals(leaf) ? List.of(leaf) : List.of(leaf, previous));
  }

  /** Logs a change after the registry has taken it. */
  synchronized void changed(@Observes CertificateUpdatedEvent event) {
    ServingCertificate now = read;
    if (!event.name().equals(NAME) || now == null) {
      return;
    }
    unusable = "";
    if (!now.leaf().equals(inUse)) {
      inUse = now.leaf();
      LOG.infof(
          "new connections get the certificate of %s, valid until %s",
          inUse.getSubjectX500Principal(), inUse.getNotAfter().toInstant());
    }
  }
}
