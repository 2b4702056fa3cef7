// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that is asked to end does so in order: the application first, then its database. */
class TerminatedServerIT {
  /** 128 + 15: ended by SIGTERM, after all hooks have run. */
  private static final int TERMINATED = 143;

  private Path directory;

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = StartedServer.directory();
  }

  @AfterEach
  void deleteDirectory() {
    StartedServer.delete(directory);
  }

  private StartedServer start() throws Exception {
    Path fleet = Files.writeString(directory.resolve("fleet.yaml"), OneServer.FLEET);
    return StartedServer.start(directory.resolve("data"), "--fleet", fleet.toString());
  }

  @Test
  void theDatabaseGoesAfterTheApplicationAndNothingIsLost() throws Exception {
    Stamps stamps = Stamps.in(directory);
    String running;
    String waiting;
    try (StartedServer first = start()) {
      Caller caller = first.caller();
      caller.post("/v1/apply", OneServer.QUOTA).is(200);
      running =
          caller.submit(
              OneServer.job("running", 4, stamps.command(40))
                  .replace("1s,", "1s, maxFailures: 9,"));
      waiting = caller.submit(OneServer.job("waiting", 4, stamps.command(2)));
      caller.awaitState(running, "RUNNING");
      first.terminate();
      assertThat(first.exitCode()).isIn(0, TERMINATED);
      assertThat(first.err()).isEmpty();
    }
    assertThat(directory.resolve("data").resolve("server.json")).doesNotExist();
    assertThat(anyFile("postmaster.pid")).isFalse();
    assertThat(Files.readString(directory.resolve("data").resolve("log/server.log")))
        .doesNotContain("ERROR", "terminating connection", "Connection refused", "did not end");

    try (StartedServer second = start()) {
      second.caller().awaitState(running, "SUCCEEDED");
      second.caller().awaitState(waiting, "SUCCEEDED");
      stamps.assertEachIndexRanAloneAndToItsEnd(2);
      assertThat(logs()).contains("database system was shut down").doesNotContain("interrupted");
    }
  }

  private boolean anyFile(String name) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
      return files.anyMatch(file -> file.getFileName().toString().equals(name));
    }
  }

  /** All that the database wrote. */
  private String logs() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory.resolve("data").resolve("postgres"))) {
      for (Path file :
          files.filter(path -> path.getFileName().toString().endsWith(".log")).toList()) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }
}
