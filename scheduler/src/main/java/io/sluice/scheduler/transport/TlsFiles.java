// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import io.sluice.queuemodel.InvalidValueException;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of the server's TLS.
 *
 * @param certificate the server's certificate, then intermediate certificates
 * @param key private key of the certificate
 * @param clientCa certificates of the authorities that sign clients' certificates; null: clients
 *     are not asked for one
 */
public record TlsFiles(Path certificate, Path key, @Nullable Path clientCa) {
  /**
   * Checks that the files can be used.
   *
   * @throws InvalidValueException naming the file at fault
   */
  public void check() {
    readKeys(null);
    if (clientCa != null) {
      readAuthorities(clientCa);
    }
  }

  /**
   * Reads the certificate and its key.
   *
   * <p>A key that every account can read is refused. Processes of jobs run on this machine under
   * another account, and one of them could take the server's identity.
   *
   * @param vertx null: the application has not started
   * @throws InvalidValueException naming the file at fault
   */
  ServingCertificate readKeys(@Nullable Vertx vertx) {
    PemFile.content(certificate);
    PemFile.content(key);
    if (isOpen(key)) {
      throw new InvalidValueException(
          ("every account of this machine can read or write the private key %s: use chmod 600, or"
                  + " defaultMode: 0440 for a Secret of Kubernetes")
              .formatted(key));
    }
    return ServingCertificate.read(vertx, certificate, key);
  }

  private static boolean isOpen(Path file) {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return false;
    }
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      return permissions.contains(PosixFilePermission.OTHERS_READ)
          || permissions.contains(PosixFilePermission.OTHERS_WRITE);
    } catch (IOException unreadable) {
      throw new InvalidValueException("cannot read the permissions of " + file);
    }
  }

  /**
   * Reads the certificates of the authorities.
   *
   * @throws InvalidValueException if the file has no certificate, or something else
   */
  static Buffer readAuthorities(Path file) {
    Buffer content = PemFile.content(file);
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      if (factory.generateCertificates(new ByteArrayInputStream(content.getBytes())).isEmpty()) {
        throw new InvalidValueException(file + " has no certificate in PEM");
      }
      return content;
    } catch (CertificateException wrong) {
      throw new InvalidValueException(
          "%s has no certificates in PEM: %s".formatted(file, wrong.getMessage()));
    }
  }
}
