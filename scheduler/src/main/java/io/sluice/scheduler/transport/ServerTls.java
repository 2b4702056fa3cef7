// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.tls.CertificateUpdatedEvent;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
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
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The TLS configuration of the REST API, for Quarkus's TLS registry, which asks for it at start.
 * Afterwards the files are read again every {@value #RELOAD_SECONDS} seconds; invalid files leave
 * the former ones in use, and the log says why.
 *
 * <p>The registry's own {@code reload-period} replaces the options of the HTTP server each time,
 * changed or not, and Vert.x closes the connections that come meanwhile. So a new certificate goes
 * into the key manager that is in use. Only other authorities for clients go through the registry:
 * they must end the sessions that clients could resume, and only new options do that.
 *
 * <p>The certificate is also written to the data directory, where clients on this machine find it.
 */
@Singleton
@Identifier(ServerTls.NAME)
final class ServerTls implements KeyStoreProvider, TrustStoreProvider {
  /** Name of the configuration in the registry. */
  static final String NAME = "server";

  private static final int RELOAD_SECONDS = 5;

  private static final Logger LOG = Logger.getLogger(ServerTls.class);

  private final @Nullable TlsFiles files;
  private final Path data;
  private @Nullable ShownKeys shown;
  private @Nullable Buffer authorities;

  /** The last error of each kind of files, to log it once. */
  private final Map<String, String> unusable = new ConcurrentHashMap<>();

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
    if (from == null) {
      return null;
    }
    ShownKeys keys = shown;
    if (keys == null) {
      keys = new ShownKeys(from.readKeys(vertx));
      announce(List.of(keys.present().leaf()));
      shown = keys;
    }
    return new KeyStoreAndKeyCertOptions(store(keys.present().leaf()), KeyCertOptions.wrap(keys));
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

  @Override
  public synchronized @Nullable TrustStoreAndTrustOptions getTrustStore(Vertx vertx) {
    Path from = files == null ? null : files.clientCa();
    if (from == null) {
      return null;
    }
    Buffer now = TlsFiles.readAuthorities(from);
    PemTrustOptions options = new PemTrustOptions().addCertValue(now);
    try {
      TrustStoreAndTrustOptions trust =
          new TrustStoreAndTrustOptions(options.loadKeyStore(vertx), options);
      authorities = now;
      return trust;
    } catch (Exception wrong) {
      throw new InvalidValueException(
          "the certificates for clients cannot be used: " + wrong.getMessage());
    }
  }

  /** Reads the files again from time to time. */
  void start(
      @Observes StartupEvent started,
      Vertx vertx,
      TlsConfigurationRegistry registry,
      Event<CertificateUpdatedEvent> updates) {
    TlsFiles from = files;
    if (from != null) {
      vertx.setPeriodic(
          Duration.ofSeconds(RELOAD_SECONDS).toMillis(),
          timer -> {
            again(vertx, "certificate stays", () -> showAgain(from.readKeys(vertx)));
            again(vertx, "authorities stay", () -> trustAgain(from, registry, updates));
          });
    }
  }

  /** Reads one kind of files outside the event loop, after the one before. */
  private void again(Vertx vertx, String kept, Supplier<Boolean> reading) {
    vertx
        .executeBlocking(reading::get, true)
        .onSuccess(changed -> unusable.remove(kept))
        .onFailure(failure -> complain(kept, String.valueOf(failure.getMessage())));
  }

  /** Logs why files cannot be used, once for each reason. */
  private void complain(String kept, String reason) {
    if (!reason.equals(unusable.put(kept, reason))) {
      LOG.errorf("the former %s in use: %s", kept, reason);
    }
  }

  /** Presents a pair if it is not the present one, and returns whether it is another. */
  private synchronized boolean showAgain(ServingCertificate now) {
    ShownKeys keys = shown;
    if (keys == null || keys.presents(now)) {
      return false;
    }
    announce(List.of(now.leaf(), keys.present().leaf()));
    keys.show(now);
    LOG.infof(
        "new connections get the certificate of %s, valid until %s",
        now.leaf().getSubjectX500Principal(), now.leaf().getNotAfter().toInstant());
    return true;
  }

  /** Lets the registry replace the authorities if the file has others. */
  private boolean trustAgain(
      TlsFiles from, TlsConfigurationRegistry registry, Event<CertificateUpdatedEvent> updates) {
    Path file = from.clientCa();
    if (file == null || TlsFiles.readAuthorities(file).equals(known())) {
      return false;
    }
    TlsConfiguration server = registry.get(NAME).orElseThrow();
    boolean reloaded = server.reload();
    if (reloaded) {
      updates.fire(new CertificateUpdatedEvent(NAME, server));
      LOG.info("new connections of clients are checked against the changed authorities");
    }
    return reloaded;
  }

  private synchronized @Nullable Buffer known() {
    return authorities;
  }

  /**
   * Writes certificates for clients on this machine: also the previous one, which connections that
   * are being made may still get.
   */
  private void announce(List<X509Certificate> certificates) {
    DataDirectory.announceCertificates(data, certificates);
  }
}
