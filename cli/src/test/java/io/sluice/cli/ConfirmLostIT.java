// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code sluice confirm-lost}, typed into a shell against a server of its own. */
class ConfirmLostIT {
  private static final long PATIENCE_SECONDS = 120;

  /** The job ignores SIGTERM, so it drains until it is killed after its grace period. */
  private static final String SCRIPT =
      """
      trap 'kill $server; wait $server' EXIT
      ./sluice up --port 0 --fleet examples/fleet.yaml > "$SLUICE_DATA.log" & server=$!
      until grep -q 'is ready' "$SLUICE_DATA.log"; do sleep 0.2; done
      ./sluice apply -f examples/two-teams.yaml > /dev/null
      ./sluice submit -n research -q main --name stubborn --accelerator v6e:4x4 -- \
        sh -c 'trap "" TERM; while :; do sleep 1; done' > /dev/null
      until ./sluice get jobs | grep -q RUNNING; do sleep 0.2; done
      ./sluice confirm-lost stubborn --attempt 1; echo "code $?"
      ./sluice cancel stubborn > /dev/null
      until ./sluice confirm-lost stubborn --attempt 1; do sleep 0.2; done
      until ./sluice get jobs --state CANCELLED | grep stubborn; do sleep 0.2; done
      """;

  private Path directory = Path.of("");

  @BeforeEach
  void makeDirectory() throws IOException {
    // Accounts that run the database and the jobs must pass through.
    directory = Files.createTempDirectory("sluice-confirm-lost-it");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
  }

  @AfterEach
  void deleteDirectory() {
    Checkout.delete(directory);
  }

  @Test
  void onlyADrainingAttemptIsConfirmedLost() throws Exception {
    ProcessBuilder shell = Checkout.process("bash", "-c", SCRIPT).redirectErrorStream(true);
    shell.environment().put("SLUICE_DATA", directory.resolve("data").toString());
    Path printed = directory.resolve("printed");
    Process process = shell.redirectOutput(printed.toFile()).start();
    boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
    assertThat(Files.readString(printed, StandardCharsets.UTF_8))
        .contains("attempt 1 of index 0 is RUNNING", "code 4")
        .contains("attempt 1 of index 0 of job/stubborn is confirmed lost")
        .contains("CANCELLED");
    assertThat(ended).isTrue();
  }
}
