// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.postgres.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that is killed in the middle of a resize: one generation follows the other, once. */
class KilledResizeIT {
  /** Each generation of a pod notes when it begins and, three seconds after SIGTERM, its end. */
  private static final String JOB =
      """
      apiVersion: sluice.io/v1
      kind: Job
      metadata: {name: elastic, namespace: team}
      spec:
        queue: chips
        accelerator: {type: v6e, topology: 4x4, slices: {min: 1, max: 2}}
        gracePeriod: 60s
        command:
        - sh
        - -c
        - |
          book=%s/$SLUICE_POD
          echo begins-$SLUICE_GENERATION >> $book
          trap 'sleep 3; echo ends-$SLUICE_GENERATION >> $book; exit 1' TERM
          while :; do sleep 0.05; done
      """;

  private TestDatabase database;
  private Path directory;
  private Path books;

  @BeforeEach
  void prepare() throws Exception {
    database = TestDatabase.migrated();
    directory = StartedServer.directory();
    books = Files.createDirectory(directory.resolve("books"));
    Files.setPosixFilePermissions(books, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.writeString(directory.resolve("fleet.yaml"), OneServer.FLEET);
  }

  @AfterEach
  void clean() throws Exception {
    database.close();
    StartedServer.delete(directory);
  }

  private StartedServer start(String... more) throws Exception {
    List<String> options =
        new ArrayList<>(List.of("--fleet", directory.resolve("fleet.yaml").toString()));
    options.addAll(List.of(StartedServer.on(database)));
    options.addAll(List.of(more));
    return StartedServer.start(directory.resolve("data"), options.toArray(String[]::new));
  }

  private List<String> book(String pod) throws IOException {
    Path book = books.resolve(pod);
    return Files.exists(book) ? Files.readAllLines(book) : List.of();
  }

  private void awaitLines(Caller caller, String pod, int lines) throws Exception {
    caller.await(
        "/v1/server",
        reply -> {
          try {
            return book(pod).size() >= lines;
          } catch (IOException unreadable) {
            return false;
          }
        });
  }

  @Test
  void betweenTheCommitOfAResizeAndTheStartOfTheNextGeneration() throws Exception {
    String id;
    try (StartedServer killed = start()) {
      Caller caller = killed.caller();
      caller.post("/v1/apply", OneServer.QUOTA).is(200);
      id = caller.submit(JOB.formatted(books));
      caller.awaitState(id, "RUNNING");
      awaitLines(caller, "workers-7", 1);
      awaitLines(caller, "workers-0", 1);
      caller.post("/v1/fleet/slices/v6e-1/reclaim?notice=60s", "").is(202);
      caller.await(
          "/v1/jobs/" + id + "/attempts", reply -> reply.at("/items/0/generation").equals("2"));
      killed.kill();
    }
    assertThat(book("workers-0")).doesNotContain("begins-2");

    try (StartedServer next = start("--end-jobs")) {
      Caller caller = next.caller();
      Caller.Reply settled =
          caller.await(
              "/v1/jobs/" + id + "/attempts",
              reply -> reply.at("/items/0/lastResize/settled").equals("true"));
      awaitLines(caller, "workers-0", 3);
      assertThat(settled.json().path("items")).hasSize(1);
      assertThat(settled.at("/items/0/state")).isEqualTo("RUNNING");
      assertThat(book("workers-0")).containsExactly("begins-1", "ends-1", "begins-2");
      assertThat(book("workers-7")).containsExactly("begins-1", "ends-1");
      assertThat(caller.get("/v1/slices/v6e-1").json().has("heldBy")).isFalse();
      caller.post("/v1/jobs/" + id + "/cancel", "").is(202);
      caller.awaitState(id, "CANCELLED");
      assertThat(book("workers-0")).containsExactly("begins-1", "ends-1", "begins-2", "ends-2");
    }
  }
}
