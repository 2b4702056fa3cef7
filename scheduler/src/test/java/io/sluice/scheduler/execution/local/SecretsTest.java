// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.job.SecretKey;
import io.sluice.scheduler.execution.Launch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods get secrets from files, which nothing else of the server holds. */
class SecretsTest {
  private static final String VALUE = "s3cr3t 'of' \"vision\" $HOME größe";

  private final Path files;
  private final LocalServer server;

  SecretsTest(@TempDir Path temporary) throws IOException {
    this.files = Files.createDirectory(temporary.resolve("secrets"));
    this.server = LocalServer.in(temporary, settings -> settings.keeping(files));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void put(String namespace, String secret, String key, byte[] content) throws IOException {
    Path folder = Files.createDirectories(files.resolve(namespace).resolve(secret));
    Path file = Files.write(folder.resolve(key), content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private void put(String namespace, String value) throws IOException {
    put(namespace, "hf", "token", value.getBytes(StandardCharsets.UTF_8));
  }

  private static Launches wanting(String script) {
    return Launches.sh(script).secrets(Map.of("TOKEN", new SecretKey("hf", "token")));
  }

  @Test
  void aProgramGetsItsSecretWithoutTheLineBreakOfItsFile() throws Exception {
    put("team", VALUE + "\n");
    Launch launch = server.finish(wanting("printf %s \"$TOKEN\"").launch());
    assertThat(server.log(launch)).isEqualTo(VALUE);
  }

  @Test
  void theRestOfTheEnvironmentIsThatOfAPodWithoutSecrets() throws Exception {
    put("team", "x");
    String script = "/usr/bin/env | cut -d= -f1 | grep -v ^TOKEN | sort";
    Launch with = server.finish(wanting(script).environment(Map.of("MODE", "a\nb c")).launch());
    Launch without =
        server.finish(Launches.sh(script).environment(Map.of("MODE", "a\nb c")).launch());
    assertThat(server.log(with)).isNotEmpty().isEqualTo(server.log(without));
  }

  @Test
  void noFileOfTheServerHasTheValue() throws Exception {
    put("team", VALUE);
    Launch launch = wanting("sleep 60").launch();
    server.start(launch);
    server.await(launch, Kind.STARTED);
    try (Stream<Path> all = Files.walk(server.directory)) {
      List<Path> regular = all.filter(Files::isRegularFile).toList();
      assertThat(regular).isNotEmpty();
      for (Path file : regular) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain("s3cr3t");
      }
    }
  }

  @Test
  void aVariableOfTheServerIsNotReplaced() throws Exception {
    put("team", "other");
    Launch launch =
        server.finish(
            Launches.sh("printf %s $SLUICE_POD")
                .secrets(Map.of("SLUICE_POD", new SecretKey("hf", "token")))
                .launch());
    assertThat(server.log(launch)).isEqualTo("main-0");
  }

  @Test
  void theSecretOfAnotherNamespaceIsNotThere() throws Exception {
    put("other", VALUE);
    assertRefused("secret hf/token of namespace team has no file");
  }

  @Test
  void filesThatCannotBeUsedAreRefusedWithoutTheirContent() throws Exception {
    put("team", "s3cr3t\0");
    assertRefused("secret hf/token of namespace team has characters that an environment cannot");
    put("team", "hf", "token", new byte[] {'s', '3', (byte) 0xff, (byte) 0xfe});
    assertRefused("secret hf/token of namespace team is no text in UTF-8");
    put("team", "s3cr3t".repeat(20_000));
    assertRefused("secret hf/token of namespace team is larger than 96 KiB");
    put("team", VALUE);
    Files.setPosixFilePermissions(
        files.resolve("team/hf/token"), PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertRefused("secret hf/token of namespace team can be read by every account");
  }

  private void assertRefused(String reason) {
    Launch launch = wanting("true").launch();
    server.start(launch);
    String message = server.await(launch, Kind.FAILED).message();
    assertThat(message).contains(reason).doesNotContain("s3");
  }
}
