// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kube;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A self-signed certificate for {@code 127.0.0.1} and its key, as PEM files in a folder. */
public record CertificateFiles(Path certificate, Path key) {
  private static final String PASSWORD = "of-a-test";
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  /**
   * Creates a pair, replacing an existing one.
   *
   * @param algorithm RSA or EC
   */
  public static CertificateFiles make(Path folder, String algorithm)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = Files.createTempDirectory("sluice-keys-").resolve("keys.p12");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "one",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=webhook of a test",
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError("keytool: " + printed);
    }
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    CertificateFiles files =
        new CertificateFiles(folder.resolve("tls.crt"), folder.resolve("tls.key"));
    Files.writeString(
        files.certificate, pem("CERTIFICATE", keys.getCertificate("one").getEncoded()));
    files.replaceKey(pem("PRIVATE KEY", keys.getKey("one", PASSWORD.toCharArray()).getEncoded()));
    Files.delete(store);
    return files;
  }

  /** Writes other content to the file of the key, which only its owner may read. */
  public void replaceKey(String content) throws IOException {
    Files.deleteIfExists(key);
    Files.createFile(
        key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(key, content);
  }

  private static String pem(String what, byte[] content) {
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
        .formatted(what, LINES.encodeToString(content));
  }

  /** Returns the current certificate. */
  public X509Certificate shown() throws IOException, GeneralSecurityException {
    try (InputStream file = Files.newInputStream(certificate)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(file);
    }
  }

  /** Returns the TLS context of a client that trusts only this certificate. */
  public SSLContext trust() throws IOException, GeneralSecurityException {
    return trust(null);
  }

  /**
   * Returns the TLS context of a client that trusts only this certificate.
   *
   * @param own the client's certificate, of an RSA key; null: it has none
   */
  public SSLContext trust(@Nullable CertificateFiles own)
      throws IOException, GeneralSecurityException {
    KeyStore known = KeyStore.getInstance("PKCS12");
    known.load(null, null);
    known.setCertificateEntry("one", shown());
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(known);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own == null ? null : own.keys(), trusted.getTrustManagers(), null);
    return context;
  }

  private KeyManager[] keys() throws IOException, GeneralSecurityException {
    String lines =
        Files.readString(key)
            .lines()
            .filter(line -> !line.startsWith("-"))
            .reduce("", String::concat);
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "one",
        KeyFactory.getInstance("RSA")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(lines))),
        PASSWORD.toCharArray(),
        new Certificate[] {shown()});
    KeyManagerFactory presented = KeyManagerFactory.getInstance("PKIX");
    presented.init(store, PASSWORD.toCharArray());
    return presented.getKeyManagers();
  }

  /** Returns the certificate as the {@code caBundle} of a webhook configuration. */
  public String authority() throws IOException {
    return Base64.getEncoder().encodeToString(Files.readAllBytes(certificate));
  }
}
