// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import io.sluice.queuemodel.InvalidValueException;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A certificate and its private key, read from two PEM files.
 *
 * @param files contents of both files, to detect changes
 * @param keys key manager that presents both
 * @param leaf the server's own certificate
 */
public record ServingCertificate(Buffer files, X509ExtendedKeyManager keys, X509Certificate leaf) {
  private static final byte[] PROBE = "is it its key".getBytes(StandardCharsets.UTF_8);

  /**
   * Reads a pair.
   *
   * @param vertx null: the application has not started
   * @param certificate PEM: the server's certificate, then intermediate certificates
   * @param key PEM: PKCS #8, or the older forms for RSA and EC
   * @throws InvalidValueException if one is missing or they do not match: a writer replaces one
   *     file before the other
   */
  public static ServingCertificate read(@Nullable Vertx vertx, Path certificate, Path key) {
    Buffer shown = PemFile.content(certificate);
    Buffer secret = PemFile.content(key);
    try {
      X509ExtendedKeyManager keys =
          (X509ExtendedKeyManager)
              options(shown, secret).getKeyManagerFactory(vertx).getKeyManagers()[0];
      return new ServingCertificate(shown.copy().appendBuffer(secret), keys, check(keys));
    } catch (Exception wrong) {
      throw new InvalidValueException(
          "%s and %s are no certificate and its key in PEM: %s"
              .formatted(certificate, key, wrong.getMessage()));
    }
  }

  private static PemKeyCertOptions options(Buffer certificate, Buffer key) {
    return new PemKeyCertOptions().setCertValue(certificate).setKeyValue(key);
  }

  private static X509Certificate check(X509ExtendedKeyManager keys)
      throws GeneralSecurityException {
    for (String type : new String[] {"RSA", "EC"}) {
      String[] aliases = keys.getServerAliases(type, null);
      if (aliases != null && aliases.length > 0) {
        PrivateKey secret = keys.getPrivateKey(aliases[0]);
        X509Certificate shown = keys.getCertificateChain(aliases[0])[0];
        if (!belong(secret, shown, type.equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA")) {
          throw new GeneralSecurityException("the key does not match the certificate");
        }
        return shown;
      }
    }
    throw new GeneralSecurityException("the key file has no RSA or EC key");
  }

  private static boolean belong(PrivateKey secret, X509Certificate shown, String algorithm)
      throws GeneralSecurityException {
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(secret);
    signature.update(PROBE);
    byte[] signed = signature.sign();
    signature.initVerify(shown);
    signature.update(PROBE);
    try {
      return signature.verify(signed);
    } catch (SignatureException wrongLength) {
      return false;
    }
  }

  /** Omits the key. */
  @Override
  public String toString() {
    return "a certificate and its key";
  }
}
