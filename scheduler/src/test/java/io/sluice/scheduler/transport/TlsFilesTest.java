// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.transport;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.scheduler.kube.CertificateFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PEM files that can be used, and the reasons why others cannot. */
class TlsFilesTest {
  private static void assertRefused(Path certificate, Path key, Path ca, String... named) {
    assertThatThrownBy(new TlsFiles(certificate, key, ca)::check)
        .isInstanceOf(InvalidValueException.class)
        .message()
        .contains(named);
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  void aPairAndAnAuthorityCanBeUsed(String algorithm, @TempDir Path folder) throws Exception {
    CertificateFiles files = CertificateFiles.make(folder, algorithm);
    TlsFiles tls = new TlsFiles(files.certificate(), files.key(), files.certificate());
    assertThatCode(tls::check).doesNotThrowAnyException();
  }

  @Test
  void otherFilesAreRefusedByName(@TempDir Path folder) throws Exception {
    CertificateFiles files = CertificateFiles.make(folder, "RSA");
    Path certificate = files.certificate();
    Path missing = folder.resolve("missing");
    assertRefused(missing, files.key(), certificate, "missing", "no such file");
    assertRefused(certificate, missing, certificate, "missing", "no such file");
    assertRefused(certificate, files.key(), missing, "missing", "no such file");
    assertRefused(certificate, folder, certificate, "is a directory");
    assertRefused(files.key(), files.key(), certificate, "tls.key", "PEM");
    assertRefused(certificate, certificate, certificate, "every account", "tls.crt");
    assertRefused(certificate, files.key(), files.key(), "tls.key", "certificate");

    Path empty = Files.writeString(folder.resolve("empty"), "");
    assertRefused(empty, files.key(), certificate, "empty", "PEM");
    assertRefused(certificate, files.key(), empty, "empty", "no certificate");
    Path large = Files.write(folder.resolve("large"), new byte[(1 << 20) + 1]);
    assertRefused(large, files.key(), certificate, "large", "1 MiB");
    Path bytes = Files.write(folder.resolve("bytes"), new byte[] {0, -1, 7, -128});
    assertRefused(bytes, files.key(), certificate, "bytes", "PEM");
    assertRefused(certificate, files.key(), bytes, "bytes");
  }

  @Test
  void aKeyOfAnotherCertificateIsRefused(@TempDir Path folder, @TempDir Path other)
      throws Exception {
    CertificateFiles files = CertificateFiles.make(folder, "RSA");
    CertificateFiles others = CertificateFiles.make(other, "RSA");
    assertRefused(files.certificate(), others.key(), files.certificate(), "does not match");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r--r--", "rw-rw--w-"})
  void aKeyThatAllAccountsCanUseIsRefused(String mode, @TempDir Path folder) throws Exception {
    CertificateFiles files = CertificateFiles.make(folder, "RSA");
    Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString(mode));
    assertRefused(files.certificate(), files.key(), files.certificate(), "tls.key", "chmod 600");
    Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-r-----"));
    assertThatCode(new TlsFiles(files.certificate(), files.key(), null)::check)
        .doesNotThrowAnyException();
  }
}
