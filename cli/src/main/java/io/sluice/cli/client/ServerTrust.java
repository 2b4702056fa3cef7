// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of a PEM file that a client trusts, in place of those of the JDK. The file is
 * read again when it changes.
 */
public final class ServerTrust {
  private static final long BYTES_MAX = 1 << 20;

  private final Path file;
  private final boolean exact;
  private @Nullable Read read;

  /**
   * The content of the file.
   *
   * @param modified when it was last changed
   */
  private record Read(FileTime modified, List<X509Certificate> certificates, SSLSocketFactory tls) {
    Read {
      certificates = List.copyOf(certificates);
    }
  }

  private ServerTrust(Path file, boolean exact) {
    this.file = file;
    this.exact = exact;
  }

  /** Trusts certificates that an authority of the file has signed for the host of the URL. */
  static ServerTrust ofAuthorities(Path file) {
    return new ServerTrust(file, false);
  }

  /**
   * Trusts the certificates of the file and no others, whatever host they name: a data directory
   * has that of its own server, which is called by its address.
   */
  static ServerTrust ofServer(Path file) {
    return new ServerTrust(file, true);
  }

  /** Whether the file has the certificates of one server, not of authorities. */
  boolean isExact() {
    return exact;
  }

  /**
   * Makes a connection trust the certificates.
   *
   * @throws ClientException if the file cannot be used
   */
  void secure(HttpsURLConnection connection) {
    Read now = read();
    connection.setSSLSocketFactory(now.tls());
    if (exact) {
      connection.setHostnameVerifier((host, session) -> isOf(now.certificates(), session));
    }
  }

  private static boolean isOf(List<X509Certificate> known, SSLSession session) {
    try {
      Certificate shown = session.getPeerCertificates()[0];
      return known.stream().anyMatch(shown::equals);
    } catch (SSLPeerUnverifiedException anonymous) {
      return false;
    }
  }

  private synchronized Read read() {
    try {
      FileTime modified = Files.getLastModifiedTime(file);
      Read known = read;
      if (known == null || !known.modified().equals(modified)) {
        List<X509Certificate> certificates = certificates();
        known = new Read(modified, certificates, context(certificates).getSocketFactory());
        read = known;
      }
      return known;
    } catch (IOException | GeneralSecurityException wrong) {
      throw new ClientException(
          "cannot read certificates in PEM from %s: %s".formatted(file, wrong.getMessage()));
    }
  }

  private List<X509Certificate> certificates() throws IOException, CertificateException {
    if (Files.size(file) > BYTES_MAX) {
      throw new IOException("it is larger than 1 MiB");
    }
    try (InputStream pem = Files.newInputStream(file)) {
      List<X509Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(pem).stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (found.isEmpty()) {
        throw new CertificateException("it has none");
      }
      return found;
    }
  }

  private SSLContext context(List<X509Certificate> certificates)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        null,
        exact ? new TrustManager[] {new ExactTrust(file, certificates)} : authorities(certificates),
        null);
    return context;
  }

  private static TrustManager[] authorities(List<X509Certificate> certificates)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (int number = 0; number < certificates.size(); number++) {
      store.setCertificateEntry("authority-" + number, certificates.get(number));
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    return factory.getTrustManagers();
  }

  /** Accepts the valid ones of some certificates. */
  private static final class ExactTrust extends X509ExtendedTrustManager {
    private final Path file;
    private final List<X509Certificate> known;

    ExactTrust(Path file, List<X509Certificate> known) {
      this.file = file;
      this.known = known;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      if (chain.length == 0 || !known.contains(chain[0])) {
        throw new CertificateException("the server's certificate is not the one in " + file);
      }
      chain[0].checkValidity();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("there are no clients");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw new CertificateException("there are no clients");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("there are no clients");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
