// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A data directory that is copied or moved while the processes of its jobs run. */
class CopiedDirectoryIT {
  private Path directory;

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = StartedServer.directory();
    Files.writeString(directory.resolve("fleet.yaml"), OneServer.FLEET);
  }

  @AfterEach
  void deleteDirectory() {
    StartedServer.delete(directory);
  }

  private Path original() {
    return directory.resolve("data");
  }

  private Path copy() {
    return directory.resolve("copy");
  }

  private StartedServer start(Path data, String... more) throws Exception {
    String[] options = new String[more.length + 2];
    options[0] = "--fleet";
    options[1] = directory.resolve("fleet.yaml").toString();
    System.arraycopy(more, 0, options, 2, more.length);
    return StartedServer.start(data, options);
  }

  /** Starts a server and a job on the original; the process outlives the server. */
  private String runJobAndStop() throws Exception {
    try (StartedServer server = start(original())) {
      Caller caller = server.caller();
      caller.post("/v1/apply", OneServer.QUOTA).is(200);
      String job = caller.submit(OneServer.job("runs", 1, "echo pid $$; exec sleep 600"));
      caller.awaitState(job, "RUNNING");
      pid(caller, job, 1);
      return job;
    }
  }

  private static long pid(Caller caller, String job, int attempt) throws Exception {
    String path = "/v1/jobs/" + job + "/logs?attempt=" + attempt;
    Reply log = caller.await(path, reply -> reply.text().matches("(?s).*pid [0-9]+\n.*"));
    return Long.parseLong(log.text().replaceAll("(?s).*pid ([0-9]+)\n.*", "$1"));
  }

  private static boolean lives(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private void copyDirectory() throws Exception {
    Process cp =
        new ProcessBuilder("cp", "-a", original().toString(), copy().toString())
            .inheritIO()
            .start();
    assertThat(cp.waitFor()).isZero();
  }

  @Test
  void aCopyIsRefusedAndADetachedCopyLeavesTheProcessesOfTheOriginalAlone() throws Exception {
    String job = runJobAndStop();
    copyDirectory();
    try (StartedServer first = start(original())) {
      Caller caller = first.caller();
      caller.awaitState(job, "RUNNING");
      long pid = pid(caller, job, 1);
      try (StartedServer refused = StartedServer.begin(copy(), "--port", "0")) {
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
            .contains(copy().toString(), original().toString(), "--as-copy")
            .hasLineCount(1);
      }
      assertThat(lives(pid)).isTrue();

      try (StartedServer second = start(copy(), "--as-copy")) {
        Caller other = second.caller();
        assertThat(Files.readString(copy().resolve("token")))
            .isNotEqualTo(Files.readString(original().resolve("token")));
        long own = pid(other, job, 2);
        assertThat(own).isNotEqualTo(pid);
        Reply attempts = other.get("/v1/jobs/" + job + "/attempts").is(200);
        assertThat(attempts.each("/items", "cause")).contains("SERVER_LOST");
        other.cancel(job);
        assertThat(lives(own)).isFalse();
      }
      assertThat(lives(pid)).isTrue();
      // The option stays in a service's file: on what is no copy any more it changes nothing.
      try (StartedServer again = start(copy(), "--as-copy")) {
        again.caller().awaitState(job, "CANCELLED");
      }
      caller.awaitState(job, "RUNNING");
      caller.cancel(job);
      assertThat(lives(pid)).isFalse();
    }
  }

  @Test
  void aDirectoryThatIsRenamedAdoptsItsProcesses() throws Exception {
    String job = runJobAndStop();
    Files.move(original(), copy());
    try (StartedServer moved = start(copy())) {
      Caller caller = moved.caller();
      caller.awaitState(job, "RUNNING");
      long pid = pid(caller, job, 1);
      assertThat(lives(pid)).isTrue();
      assertThat(caller.get("/v1/jobs/" + job + "/attempts").json().at("/items")).hasSize(1);
      caller.cancel(job);
      assertThat(lives(pid)).isFalse();
    }
    try (StartedServer again = start(copy())) {
      again.caller().get("/v1/server").is(200);
    }
  }
}
