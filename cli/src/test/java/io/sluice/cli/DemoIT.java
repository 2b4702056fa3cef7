// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The demonstration as users run it, on processes and a database of its own. A story mostly waits.
 */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class DemoIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private Path directory = Path.of("");

  @BeforeEach
  void makeDirectory() throws IOException {
    // Accounts that run the database and the jobs must pass through.
    directory = Files.createTempDirectory("sluice-demo-it");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
  }

  @AfterEach
  void deleteDirectory() {
    Checkout.delete(directory);
  }

  private Process demo(String printed) throws IOException {
    return Checkout.process("./sluice", "demo", "--data", directory.resolve("data").toString())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve(printed).toFile())
        .start();
  }

  private String printed(String name) throws IOException {
    return Files.readString(directory.resolve(name));
  }

  @Test
  void theStoryComesOutAsPromised() throws Exception {
    Process demo = demo("first");
    assertThat(demo.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(demo.exitValue()).as(printed("first")).isZero();
    assertThat(printed("first"))
        .contains("waits until", "held by", "The story came out as promised.")
        .contains("attempt 1 shrinks to slice lite-0", "attempt 1 grows to slices lite-0, lite-1")
        .contains("search went on from a checkpoint: reclaimed to 1, grown to 2")
        .contains("search did so in 1 attempt, with 0 failures")
        .doesNotContain("BROKEN");
    assertNothingIsLeft();
  }

  @Test
  void thePipelineOfTheExampleComesOutAsPromisedThoughItsServerIsKilled() throws Exception {
    Process demo =
        Checkout.process(
                "./sluice", "demo", "--pipeline", "--data", directory.resolve("data").toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("night").toFile())
            .start();
    assertThat(demo.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(demo.exitValue()).as(printed("night")).isZero();
    assertThat(printed("night"))
        .contains("The pipeline came out as promised.", "13 jobs for 13 parts", "8/8")
        .doesNotContain("BROKEN");
    assertNothingIsLeft();
  }

  @Test
  void teamsDivideTheirQuotaAndTakeNoMoreAlsoTheSecondTime() throws Exception {
    for (String printed : List.of("teams", "again")) {
      Process demo =
          Checkout.process(
                  "./sluice", "demo", "--teams", "--data", directory.resolve("data").toString())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve(printed).toFile())
              .start();
      assertThat(demo.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(demo.exitValue()).as(printed(printed)).isZero();
      assertThat(printed(printed))
          .contains("The teams came out as promised.", "would be 40", "entitled to 32")
          .contains("Ann sees jobs of [vision]", "Bob sees jobs of [language]")
          .doesNotContain("BROKEN");
    }
    assertNothingIsLeft();
  }

  @Test
  void aStoryWhoseServerWasKilledGoesOnAndComesOutAsPromised() throws Exception {
    Process first = demo("first");
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!printed("first").contains("train    RUNNING")) {
      assertThat(first.isAlive()).as(printed("first")).isTrue();
      assertThat(Instant.now()).isBefore(deadline);
      Thread.sleep(50);
    }
    kill(serverPid());
    assertThat(first.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(first.exitValue()).isEqualTo(1);
    assertThat(printed("first")).contains("The same command goes on from here");

    Process second = demo("second");
    assertThat(second.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(second.exitValue()).as(printed("second")).isZero();
    assertThat(printed("second"))
        .contains("Going on in", "9 of 9 jobs succeeded", "ran twice at once")
        .doesNotContain("BROKEN");
    assertNothingIsLeft();
  }

  private long serverPid() throws IOException {
    Path address = directory.resolve("data").resolve("server.json");
    return new ObjectMapper().readTree(address.toFile()).path("pid").asLong();
  }

  private static void kill(long pid) {
    assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
  }

  /** No server, no database, no worker: nothing that names the directory. */
  private void assertNothingIsLeft() throws InterruptedException {
    Instant deadline = Instant.now().plus(Duration.ofSeconds(20));
    while (anythingLeft() && Instant.now().isBefore(deadline)) {
      Thread.sleep(100);
    }
    assertThat(anythingLeft()).isFalse();
  }

  private boolean anythingLeft() {
    String place = directory.toString();
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .anyMatch(process -> process.info().commandLine().orElse("").contains(place));
  }
}
