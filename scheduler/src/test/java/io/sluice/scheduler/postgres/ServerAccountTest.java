// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAccountTest {
  private static final List<String> PASSWD =
      List.of(
          "root:x:0:0:root:/root:/bin/bash",
          "daemon:x:1:2:daemon:/usr/sbin:/usr/sbin/nologin",
          "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin");
  private static final String POSTGRES = "postgres:x:101:104::/var/lib/postgresql:/bin/bash";

  @Test
  void theAccountPostgresComesFirstThenDaemonAndNobodyNever() {
    List<String> withPostgres = List.of(PASSWD.get(0), PASSWD.get(1), POSTGRES);

    assertThat(account(withPostgres, "setpriv").uid()).isEqualTo(101);
    assertThat(account(PASSWD, "setpriv").uid()).isEqualTo(1);
    assertThatThrownBy(() -> account(List.of(PASSWD.get(0), PASSWD.get(2)), "setpriv"))
        .isInstanceOf(PostgresStartException.class)
        .hasMessageContaining("neither the user postgres nor daemon");
  }

  @Test
  void setprivComesFirstThenRunuserThenSu() {
    assertThat(account(PASSWD, "su", "setpriv", "runuser").prefix())
        .containsExactly("/bin/setpriv", "--reuid=1", "--regid=2", "--clear-groups", "--");
    assertThat(account(PASSWD, "su", "runuser").prefix())
        .startsWith("/bin/runuser", "-u", "daemon");
    assertThat(account(PASSWD, "su").prefix()).startsWith("/bin/su");
    assertThatThrownBy(() -> account(PASSWD))
        .isInstanceOf(PostgresStartException.class)
        .hasMessageContaining("setpriv, runuser and su");
  }

  @ParameterizedTest
  @ValueSource(strings = {"setpriv", "runuser", "su"})
  void eachWayRunsCommandsAsTheAccountWithTheirWordsUnchanged(String switcher) throws IOException {
    assumeTrue(ServerAccount.choose().separate(), "only root may switch");
    assumeTrue(ServerAccount.find(switcher).isPresent(), switcher + " is not installed");
    ServerAccount account =
        ServerAccount.unprivileged(
            Files.readAllLines(Path.of("/etc/passwd")),
            name -> name.equals(switcher) ? ServerAccount.find(name) : Optional.empty());
    try (PassableDirectory directory = PassableDirectory.create()) {
      CommandRunner runner = new CommandRunner(new ServerDirectory(directory.path()), account);

      CommandRunner.Outcome outcome =
          runner.run(
              CommandRunner.PROBE_LIMIT,
              "/bin/sh",
              "-c",
              "id -u; id -G; printf '<%s>' \"$@\"",
              "-",
              "-D",
              "two words",
              "$HOME");

      assertThat(outcome.output().text())
          .startsWith(account.uid() + "\n")
          .endsWith("<-D><two words><$HOME>");
      assertThat(outcome.output().text().lines().skip(1).findFirst().orElseThrow().split(" "))
          .doesNotContain("0");
    }
  }

  private static ServerAccount account(List<String> passwd, String... installed) {
    Set<String> programs = Set.of(installed);
    return ServerAccount.unprivileged(
        passwd,
        name -> programs.contains(name) ? Optional.of(Path.of("/bin", name)) : Optional.empty());
  }
}
