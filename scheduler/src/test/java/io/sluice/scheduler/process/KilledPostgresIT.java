// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.kube.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The embedded PostgreSQL is killed under a running server. */
class KilledPostgresIT {
  private static final String READY = "/q/health/ready";

  @Test
  void itIsRestartedAndTheServerIsNotReadyMeanwhileAndGoesOnAfterwards() throws Exception {
    Path directory = StartedServer.directory();
    try {
      Path fleet = Files.writeString(directory.resolve("fleet.yaml"), OneServer.FLEET);
      Path data = directory.resolve("data");
      try (StartedServer server = StartedServer.start(data, "--fleet", fleet.toString())) {
        Caller caller = server.caller();
        caller.post("/v1/apply", OneServer.QUOTA).is(200);
        String during = caller.submit(OneServer.job("during", 1, "sleep 5"));
        caller.awaitState(during, "RUNNING");
        long postmaster = postmaster(data);
        List<Long> backends = children(postmaster);
        assertThat(backends).isNotEmpty();
        // While one of its processes is left, the next server does not start.
        Signals.send("STOP", backends.get(0));
        Signals.send("KILL", postmaster);
        awaitReady(caller, status -> status == 503);
        Signals.send("KILL", backends.get(0));
        awaitReady(caller, status -> status == 200);
        assertThat(postmaster(data)).isNotEqualTo(postmaster);
        caller.awaitState(during, "SUCCEEDED");
        String after = caller.submit(OneServer.job("after", 1, "true"));
        caller.awaitState(after, "SUCCEEDED");
      }
    } finally {
      StartedServer.delete(directory);
    }
  }

  private static void awaitReady(Caller caller, Predicate<Integer> wanted) throws Exception {
    Instant deadline = Instant.now().plus(StartedServer.PATIENCE);
    int status = caller.get(READY).status();
    while (!wanted.test(status)) {
      assertThat(Instant.now()).as("readiness is " + status).isBefore(deadline);
      Thread.sleep(100);
      status = caller.get(READY).status();
    }
  }

  private static long postmaster(Path data) throws IOException {
    Path file = data.resolve("postgres").resolve("data").resolve("postmaster.pid");
    return Long.parseLong(Files.readAllLines(file).get(0));
  }

  private static List<Long> children(long pid) {
    return ProcessHandle.of(pid).orElseThrow().children().map(ProcessHandle::pid).toList();
  }
}
