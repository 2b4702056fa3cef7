// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.scheduler.kube.CertificateFiles;
import io.sluice.scheduler.postgres.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that cannot start says why in one line and leaves with a code that is not zero. */
class StartRefusedIT {
  private Path directory;

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = StartedServer.directory();
  }

  @AfterEach
  void deleteDirectory() {
    StartedServer.delete(directory);
  }

  private Path data() {
    return directory.resolve("data");
  }

  private static void assertRefused(Path data, String[] options, String... named) throws Exception {
    try (StartedServer server = StartedServer.begin(data, options)) {
      assertThat(server.exitCode()).as(server.err()).isNotZero();
      assertThat(server.err().strip().lines()).as(server.err()).hasSize(1);
      assertThat(server.err()).startsWith("sluice: ").contains(named);
      assertThat(server.err()).doesNotContain("Exception:", "\tat ");
      assertThat(server.out()).doesNotContain("ready");
    }
  }

  private static String[] options(String... options) {
    return options;
  }

  @Test
  void whereItsPortIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      assertRefused(data(), options("--port", port), "cannot listen on 127.0.0.1:" + port);
    }
    assertThat(data().resolve("postgres")).doesNotExist();
  }

  @Test
  void whereAnOptionIsUnknownOrHasNoSuchValueInThreeLines() throws Exception {
    for (String[] wrong : new String[][] {{"--prot", "0"}, {"--port", "many"}}) {
      try (StartedServer server = StartedServer.begin(data(), wrong)) {
        assertThat(server.exitCode()).isEqualTo(2);
        assertThat(server.err().lines()).as(server.err()).hasSize(3);
        assertThat(server.err()).startsWith("sluice: ").contains(wrong[0], "sluice up --help");
      }
    }
    assertThat(data()).doesNotExist();
  }

  @Test
  void whereItsAddressOrPortIsNone() throws Exception {
    assertRefused(data(), options("--port", "70000"), "--port", "70000");
    assertRefused(data(), options("--port", "0", "--listen", "0.0.0.0"), "0.0.0.0", "--tokens");
    assertRefused(data(), options("--port", "0", "--listen", "no.such.host.invalid"), "no.such");
  }

  @Test
  void whereItsIdentityProviderIsIncomplete() throws Exception {
    String issuer = "https://login.example.org";
    Path open = Files.writeString(directory.resolve("secret"), "s3cret");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    String[][] wrong = {
      {"--oidc-client-id", "sluice"},
      {"--oidc-issuer", issuer},
      {"--oidc-issuer", "login.example.org", "--oidc-client-id", "sluice"},
      {"--oidc-issuer", "http://login.example.org", "--oidc-client-id", "sluice"},
      {"--oidc-client-secret-file", open.toString()},
      {"--oidc-ca-file", open.toString()},
      {"--public-url", "sluice.example.org"},
      {"--public-url", "https://sluice.example.org/console"},
    };
    for (String[] options : wrong) {
      List<String> all = new ArrayList<>(List.of("--port", "0"));
      all.addAll(List.of(options));
      assertRefused(data(), all.toArray(String[]::new), options[0]);
    }
    for (String file : List.of("--oidc-client-secret-file", "--oidc-ca-file")) {
      String[] options = {
        "--port", "0", "--oidc-issuer", issuer, "--oidc-client-id", "sluice", file, open.toString()
      };
      assertRefused(data(), options, open.toString());
    }
  }

  @Test
  void whereItsDirectoryCannotBeWritten() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");
    assertRefused(file, options("--port", "0"), file.toString());
    assertRefused(file.resolve("below"), options("--port", "0"), file.toString());
    assumeFalse("root".equals(System.getProperty("user.name")), "root may write everywhere");
    Path closed = Files.createDirectory(directory.resolve("closed"));
    assertThat(closed.toFile().setWritable(false)).isTrue();
    assertRefused(closed, options("--port", "0"), closed.toString());
  }

  @Test
  void whereAnotherServerHasItsDirectory() throws Exception {
    try (TestDatabase database = TestDatabase.create();
        StartedServer first = StartedServer.start(data(), StartedServer.on(database))) {
      assertRefused(data(), options("--port", "0"), "another server has", data().toString());
      first.caller().get("/v1/server").is(200);
    }
  }

  @Test
  void whereItsDatabaseIsNoneOrDoesNotAnswer() throws Exception {
    assertRefused(
        data(), options("--port", "0", "--database", "mysql://x"), "--database", "mysql://x");
    assertRefused(
        data(),
        options("--port", "0", "--database", "jdbc:postgresql://127.0.0.1:1/x?user=u"),
        "127.0.0.1:1");
  }

  @Test
  void whereThePasswordOfItsDatabaseIsAnArgument() throws Exception {
    String url = "jdbc:postgresql://127.0.0.1:1/x?user=u&password=secret";
    assertRefused(
        data(),
        options("--port", "0", "--database", url),
        "--database-password-file",
        "SLUICE_DATABASE_PASSWORD");
    try (StartedServer server =
        StartedServer.begin(data(), "--port", "0", "--database", "mysql://x?password=secret")) {
      assertThat(server.exitCode()).isNotZero();
      assertThat(server.err()).contains("mysql://x").doesNotContain("secret");
    }
  }

  @Test
  void whereItsFleetIsWrong() throws Exception {
    Path missing = directory.resolve("missing.yaml");
    assertRefused(data(), options("--port", "0", "--fleet", missing.toString()), "missing.yaml");
    Path wrong =
        Files.writeString(directory.resolve("wrong.yaml"), OneServer.FLEET.replace("4x4", "3x5"));
    assertRefused(data(), options("--port", "0", "--fleet", wrong.toString()), "wrong.yaml", "3x5");
    Path job = Files.writeString(directory.resolve("job.yaml"), OneServer.job("a", 1, "true"));
    assertRefused(data(), options("--port", "0", "--fleet", job.toString()), "job.yaml", "Fleet");
  }

  @Test
  void whereItsWebhookLacksAKeyAClusterOrAPort() throws Exception {
    assertRefused(
        data(),
        options("--port", "0", "--webhook-certificate", "c"),
        "--webhook-key",
        "each other");
    String[] clusterless =
        options("--port", "0", "--webhook-certificate", "c", "--webhook-key", "k");
    assertRefused(data(), clusterless, "--kubeconfig");
    assertRefused(data(), options("--port", "0", "--webhook-port", "-1"), "--webhook-port", "-1");
  }

  @Test
  void whereItsJobsCouldNotBeIsolatedFromEachOther() throws Exception {
    Path tokens =
        Files.writeString(
            directory.resolve("tokens"), "sam submitter team - sha256:" + "1".repeat(64) + "\n");
    // An account of the machine has one of these ids, and without root there are none at all.
    String[] several =
        options("--port", "0", "--tokens", tokens.toString(), "--job-accounts", "65000-65600");
    assertRefused(data(), several, "--tokens", "cannot be isolated", "--trust-callers");
    assertRefused(data(), options("--port", "0", "--job-accounts", "7"), "--job-accounts", "7");
    assertRefused(data(), options("--port", "0", "--job-processes", "0"), "--job-processes", "0");
    assertRefused(data(), options("--port", "0", "--job-log-limit", "1"), "--job-log-limit", "4Ki");
  }

  @Test
  void whereJobsWouldRunAsRoot() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "the tests do not run as root");
    Path closed =
        Files.setPosixFilePermissions(
            Files.createDirectory(directory.resolve("closed")),
            PosixFilePermissions.fromString("rwx------"));
    assertRefused(
        closed.resolve("data"), options("--port", "0"), "runs no job as root", "chmod o+x");
  }

  @Test
  void whereItsCertificateKeyOrRateIsWrong() throws Exception {
    CertificateFiles files = CertificateFiles.make(directory, "EC");
    String certificate = files.certificate().toString();
    String key = files.key().toString();
    assertRefused(data(), tls("--tls-key", key), "--tls-certificate", "each other");
    assertRefused(data(), tls("--tls-client-ca", certificate), "--tls-certificate");
    assertRefused(data(), tls("--require-client-certificate"), "--tls-client-ca");
    assertRefused(data(), tls("--request-rate", "-1"), "--request-rate", "-1");
    assertRefused(
        data(), tls("--tls-certificate", certificate, "--tls-key", "none"), "none", "no such file");
    CertificateFiles other =
        CertificateFiles.make(Files.createDirectory(directory.resolve("other")), "EC");
    assertRefused(
        data(),
        tls("--tls-certificate", certificate, "--tls-key", other.key().toString()),
        "does not match");
    Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-r--r--"));
    assertRefused(
        data(), tls("--tls-certificate", certificate, "--tls-key", key), key, "chmod 600");
    assertThat(data().resolve("postgres")).doesNotExist();
  }

  private static String[] tls(String... options) {
    return Stream.concat(Stream.of("--port", "0"), Stream.of(options)).toArray(String[]::new);
  }

  @Test
  void whereItsConfigurationIsWrong() throws Exception {
    String head = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";
    Path wrong =
        Files.writeString(
            directory.resolve("wrong.yaml"), head + "waitForPodsReady: {timeout: never}");
    String[] options = options("--port", "0", "--configuration", wrong.toString());
    assertRefused(data(), options, "wrong.yaml", "waitForPodsReady.timeout", "never");
  }
}
