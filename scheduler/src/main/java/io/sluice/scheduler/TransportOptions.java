// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.sluice.scheduler.config.SettingDefaults;
import io.sluice.scheduler.config.StartException;
import io.sluice.scheduler.transport.TlsFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for TLS and for the rate of requests. */
final class TransportOptions {
  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description =
          "Serve the API over HTTPS only, with this certificate (PEM), followed by "
              + "intermediate certificates. Reread when it changes. Requires --tls-key. "
              + "Default: HTTP.")
  @Nullable Path tlsCertificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description =
          "Private key of --tls-certificate (PEM, RSA or EC, not encrypted), which other "
              + "accounts must not be able to read. Reread when it changes.")
  @Nullable Path tlsKey;

  @Option(
      names = "--tls-client-ca",
      paramLabel = "FILE",
      description =
          "Certificates (PEM) of the authorities that sign clients' certificates. A "
              + "client's certificate is checked if it has one; its token is required as well. "
              + "Reread when it changes. Default: clients are not asked for a certificate.")
  @Nullable Path tlsClientCa;

  @Option(
      names = "--require-client-certificate",
      description =
          "Refuse connections of clients without a certificate of --tls-client-ca. "
              + "Default: a token is enough.")
  boolean requireClientCertificate;

  @Option(
      names = "--request-rate",
      paramLabel = "N",
      defaultValue = SettingDefaults.REQUEST_RATE,
      description =
          "Maximum number of requests per second of one caller, 0 to 1000000, in the long run: "
              + "up to 4 N at once. Requests without a valid token: a fifth of that for each "
              + "remote address. The token in DIR and probes have no maximum. 0: none. "
              + "Default: ${DEFAULT-VALUE}.")
  int requestRate;

  private static final int REQUEST_RATE_MAX = 1_000_000;

  /**
   * Checks the options and the files.
   *
   * @throws StartException if options contradict each other
   * @throws io.sluice.queuemodel.InvalidValueException if a file cannot be used
   */
  void check() {
    Path certificate = tlsCertificate;
    Path key = tlsKey;
    if (requestRate < 0 || requestRate > REQUEST_RATE_MAX) {
      throw new StartException("--request-rate must be between 0 and 1000000: " + requestRate);
    }
    if (requireClientCertificate && tlsClientCa == null) {
      throw new StartException("--require-client-certificate needs --tls-client-ca");
    }
    if (certificate == null || key == null) {
      if (certificate != null || key != null) {
        throw new StartException("--tls-certificate and --tls-key need each other");
      }
      if (tlsClientCa != null) {
        throw new StartException("--tls-client-ca needs --tls-certificate and --tls-key");
      }
      return;
    }
    new TlsFiles(certificate, key, tlsClientCa).check();
  }
}
