// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A server that is killed without warning while jobs run, and started again on the same directory:
 * what was acknowledged is done, and nothing runs twice at once.
 */
class KilledServerIT {
  private static final int SEEDS = 1;
  private static final int KILLS = 2;
  private static final int JOBS = 30;
  private static final int ARRAY = 3;
  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: local}
      spec:
        executor: local
        slices: [{name: v6e, count: 4, type: v6e, topology: 2x2}]
        hosts: [{name: cpu, capacity: {cpu: 8, memory: 16Gi}}]
      """;

  @Test
  void nothingIsLostAndNothingRunsTwiceAtOnce() {
    Seeds.check(SEEDS, KilledServerIT::live);
  }

  private static void live(SplittableRandom random) {
    try {
      Path directory = StartedServer.directory();
      try {
        live(random, directory);
      } finally {
        StartedServer.delete(directory);
      }
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static void live(SplittableRandom random, Path directory) throws Exception {
    Stamps stamps = Stamps.in(directory);
    List<String> manifests = new ArrayList<>();
    int indices = 0;
    for (int number = 0; number < JOBS; number++) {
      boolean array = number % 5 == 0;
      indices += array ? ARRAY : 1;
      manifests.add(manifest(number, stamps.command(4 + random.nextInt(16))));
    }
    Set<String> acknowledged = new TreeSet<>();
    for (int kill = 0; kill < KILLS; kill++) {
      StartedServer server = start(directory);
      server.caller().post("/v1/apply", OneServer.QUOTA).is(200);
      Killer killer = new Killer(server, random.nextInt(200, 4_000));
      killer.start();
      submit(server, manifests, acknowledged);
      killer.join();
    }
    try (StartedServer last = start(directory)) {
      submit(last, manifests, acknowledged);
      assertThat(acknowledged).hasSize(JOBS);
      for (String id : acknowledged) {
        last.caller().awaitState(id, "SUCCEEDED");
      }
      assertThat(last.caller().get("/v1/jobs?limit=500").json().at("/items")).hasSize(JOBS);
      stamps.assertEachIndexRanAloneAndToItsEnd(indices);
    }
    assertNothingIsLeft(directory);
  }

  private static StartedServer start(Path directory) throws Exception {
    Path fleet = Files.writeString(directory.resolve("fleet.yaml"), FLEET);
    return StartedServer.start(directory.resolve("data"), "--fleet", fleet.toString());
  }

  /** A third of the jobs take two slices at once, a third one, the others none. */
  private static String manifest(int number, String command) {
    String job = OneServer.job("job-" + number, 1, command).replace("1s,", "1s, maxFailures: 10,");
    if (number % 5 == 0) {
      job = job.replace("maxFailures", "array: {count: %d}, maxFailures".formatted(ARRAY));
    }
    if (number % 3 == 2) {
      return job;
    }
    return job.replace(
        "queue: main, requests: {cpu: 1}",
        "queue: chips, accelerator: {type: v6e, topology: 2x2, slices: %d}"
            .formatted(1 + number % 3));
  }

  /** Submits all, each with its own key, until the server is gone. */
  private static void submit(
      StartedServer server, List<String> manifests, Set<String> acknowledged) {
    try {
      Caller caller = server.caller();
      for (int number = 0; number < manifests.size(); number++) {
        Caller.Reply reply =
            caller.post("/v1/jobs", manifests.get(number), "Idempotency-Key", "key-" + number);
        assertThat(reply.status()).as(reply.text()).isIn(200, 201);
        acknowledged.add(reply.at("/id"));
      }
    } catch (IOException killed) {
      assertThat(server.isAlive()).isFalse();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  /** Kills a server after a while. */
  private static final class Killer extends Thread {
    private final StartedServer server;
    private final int afterMillis;

    Killer(StartedServer server, int afterMillis) {
      this.server = server;
      this.afterMillis = afterMillis;
    }

    @Override
    public void run() {
      try {
        Thread.sleep(afterMillis);
        server.kill();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** No server, no database, no worker: nothing that names the directory. */
  private static void assertNothingIsLeft(Path directory) throws InterruptedException {
    Instant deadline = Instant.now().plus(Duration.ofSeconds(30));
    while (anythingLeft(directory) && Instant.now().isBefore(deadline)) {
      Thread.sleep(100);
    }
    assertThat(anythingLeft(directory)).isFalse();
  }

  private static boolean anythingLeft(Path directory) {
    return ProcessHandle.allProcesses()
        .anyMatch(
            process -> process.info().commandLine().orElse("").contains(directory.toString()));
  }
}
