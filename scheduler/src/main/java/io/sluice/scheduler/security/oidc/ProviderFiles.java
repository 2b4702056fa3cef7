// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.oidc;

import io.sluice.queuemodel.InvalidValueException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The files about an identity provider, which a server reads at its start.
 *
 * @param clientSecret null: the client is public
 * @param authorities null: the authorities that the JDK knows
 */
public record ProviderFiles(@Nullable Path clientSecret, @Nullable Path authorities) {
  /**
   * Checks that the files can be used.
   *
   * @throws InvalidValueException naming the file and the reason, if one cannot
   */
  public void check() {
    secret();
    trust();
  }

  /** The client's secret; null: the client is public. */
  @Nullable String secret() {
    Path file = clientSecret;
    if (file == null) {
      return null;
    }
    try {
      PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
      if (view != null
          && view.readAttributes().permissions().contains(PosixFilePermission.OTHERS_READ)) {
        throw new InvalidValueException(
            file + " can be read by all accounts of the machine: chmod 600 " + file);
      }
      String secret = Files.readString(file, StandardCharsets.UTF_8).strip();
      if (secret.isEmpty()) {
        throw new InvalidValueException(file + " has no client secret: it is empty");
      }
      return secret;
    } catch (IOException failure) {
      throw unreadable(file, failure);
    }
  }

  /** What makes connections to the provider; null: the authorities that the JDK knows. */
  @Nullable SSLSocketFactory trust() {
    Path file = authorities;
    if (file == null) {
      return null;
    }
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (certificates.isEmpty()) {
        throw new InvalidValueException(file + " has no certificate (PEM)");
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (Certificate certificate : certificates) {
        store.setCertificateEntry("authority-" + number, certificate);
        number++;
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (IOException | GeneralSecurityException failure) {
      throw unreadable(file, failure);
    }
  }

  private static InvalidValueException unreadable(Path file, Exception failure) {
    return new InvalidValueException(
        "cannot read %s: %s".formatted(file, failure.getClass().getSimpleName()));
  }
}
