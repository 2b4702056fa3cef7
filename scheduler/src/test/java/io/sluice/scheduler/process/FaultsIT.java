// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.postgres.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a file says befalls the fleet, befalls it. */
class FaultsIT {
  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: local}
      spec:
        executor: local
        slices: [{name: own, type: v6e, topology: 4x4, hosts: [h0, h1, h2, h3]}]
      """;
  private static final String SETUP =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: v6e}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: slices}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors: [{name: v6e, resources: [{name: google.com/tpu, nominalQuota: 16}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: slices}
      """;
  private static final String JOB =
      """
      apiVersion: sluice.io/v1
      kind: Job
      metadata: {name: steady, namespace: team}
      spec:
        queue: main
        accelerator: {type: v6e, topology: 4x4}
        gracePeriod: 1s
        command: [sleep, "600"]
      """;

  private TestDatabase database;
  private Path directory;

  @BeforeEach
  void prepare() throws Exception {
    database = TestDatabase.migrated();
    directory = StartedServer.directory();
    Files.writeString(directory.resolve("fleet.yaml"), FLEET);
  }

  @AfterEach
  void clean() throws Exception {
    database.close();
    StartedServer.delete(directory);
  }

  private String[] options(String faults) throws Exception {
    List<String> options = new ArrayList<>(List.of(StartedServer.on(database)));
    options.addAll(
        List.of(
            "--fleet",
            directory.resolve("fleet.yaml").toString(),
            "--faults",
            Files.writeString(directory.resolve("faults.yaml"), faults).toString()));
    return options.toArray(String[]::new);
  }

  @Test
  void aHostThatFailsByTheScriptCostsItsJobAnAttemptUntilItReturns() throws Exception {
    String script =
        """
        apiVersion: sluice.io/v1
        kind: Faults
        spec:
          faults:
          - {after: 6s, failHost: h2}
          - {after: 9s, returnHost: h2}
          # On a slow machine the job starts after the first.
          - {after: 40s, failHost: h2}
          - {after: 43s, returnHost: h2}
          - {after: 100s, failHost: h2}
          - {after: 103s, returnHost: h2}
        """;
    try (StartedServer server = StartedServer.start(directory.resolve("data"), options(script))) {
      Caller caller = server.caller();
      caller.post("/v1/apply", SETUP).is(200);
      String id = caller.submit(JOB);
      String attempts = "/v1/jobs/" + id + "/attempts";
      caller.await(
          attempts,
          reply ->
              reply.at("/items/0/attempt").equals("2")
                  && !reply.at("/items/0/startedAt").isEmpty());
      assertThat(caller.get(attempts).at("/items/1/cause")).isEqualTo("HOST_LOST");
      assertThat(caller.get(attempts).at("/items/1/outcome")).isEqualTo("LOST");
      caller.post("/v1/jobs/" + id + "/cancel", "").is(202);
      caller.awaitState(id, "CANCELLED");
    }
  }

  @Test
  void aScriptThatNamesWhatThereIsNotIsRefused() throws Exception {
    String script =
        """
        apiVersion: sluice.io/v1
        kind: Faults
        spec: {faults: [{after: 1s, failHost: nobody}]}
        """;
    try (StartedServer server = StartedServer.begin(directory.resolve("data"), options(script))) {
      assertThat(server.exitCode()).isEqualTo(1);
      assertThat(server.err()).contains("faults.yaml", "nobody").doesNotContain("\tat ");
    }
  }
}
