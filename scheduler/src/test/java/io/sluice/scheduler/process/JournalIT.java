// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.store.journal.UnpackedBatches;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Decisions of a server are recomputed, over REST and by the server after it. */
class JournalIT {
  private static final String QUEUES =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpus}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: lab}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: cpus, resources: [{name: cpu, nominalQuota: "2"}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: lab}
      """;

  private static StartedServer start(ServerHome home, String... more) throws Exception {
    String[] options = Arrays.copyOf(more, more.length + 2);
    options[more.length] = "--snapshot-every";
    options[more.length + 1] = "1";
    return home.start(options);
  }

  private static void run(Caller caller, String name) throws Exception {
    caller.awaitState(caller.submit(OneServer.job(name, 1, "true")), "SUCCEEDED");
  }

  @Test
  void whatAServerDecidedIsRecomputedByTheNextOneAndAChangedEventIsFound() throws Exception {
    try (ServerHome home = new ServerHome()) {
      try (StartedServer first = start(home)) {
        Caller caller = first.caller();
        caller.post("/v1/apply", QUEUES).is(200);
        run(caller, "one");
        run(caller, "two");
      }
      try (StartedServer next = start(home, "--fair-sharing")) {
        Caller caller = next.caller();
        run(caller, "three");
        // Another policy decides: the state was stored before its first round.
        caller.await("/v1/journal", reply -> !reply.at("/snapshots/1/sequence").isEmpty());
        Caller.Reply whole = caller.get("/v1/journal").is(200);
        Caller.Reply one = caller.get("/v1/journal?limit=1").is(200);
        assertThat(one.json().at("/snapshots")).hasSize(1);
        assertThat(one.at("/first")).isEqualTo(whole.at("/first"));
        Caller.Reply two = caller.get("/v1/journal?limit=1&cursor=" + one.at("/nextCursor"));
        assertThat(Long.parseLong(two.is(200).at("/snapshots/0/sequence")))
            .isLessThan(Long.parseLong(one.at("/snapshots/0/sequence")));
        long last = Long.parseLong(caller.get("/v1/journal").is(200).at("/last"));
        for (long at = 1; at <= last; at++) {
          assertThat(caller.get("/v1/journal/" + at + "/recheck").is(200).at("/same"))
              .as("batch %d of %d", at, last)
              .isEqualTo("true");
        }
        caller.get("/v1/journal/" + (last + 1_000_000) + "/recheck").is(404);
        caller.get("/v1/journal/0/recheck").is(400);
        UnpackedBatches.unpackEvents(home.database().dataSource());
        try (Connection connection = home.database().dataSource().getConnection();
            Statement statement = connection.createStatement()) {
          statement.execute(
              "UPDATE event SET body = jsonb_set(body, '{generation}', '9')"
                  + " WHERE kind = 'Admitted' AND sequence ="
                  + " (SELECT min(sequence) FROM event WHERE kind = 'Admitted')");
        }
        Caller.Reply found = caller.get("/v1/journal/1/recheck?batches=1000").is(200);
        assertThat(found.at("/same")).isEqualTo("false");
        assertThat(found.at("/difference/recorded/body/generation")).isEqualTo("9");
        assertThat(found.at("/difference/recomputed/body/generation")).isEqualTo("1");
      }
    }
  }

  @Test
  void whatIsPastItsRetentionIsDeleted() throws Exception {
    try (ServerHome home = new ServerHome();
        StartedServer server = start(home, "--history-retention", "1s")) {
      Caller caller = server.caller();
      caller.post("/v1/apply", QUEUES).is(200);
      String job = caller.submit(OneServer.job("one", 1, "true"));
      caller.awaitState(job, "SUCCEEDED");
      caller.await(
          "/v1/journal",
          reply ->
              !reply.at("/first").isEmpty()
                  && Long.parseLong(reply.at("/first")) > Long.parseLong(reply.at("/last")));
      caller.get("/v1/journal/1/recheck").is(410);
      assertThat(caller.get("/v1/jobs/" + job).is(200).at("/status/state")).isEqualTo("SUCCEEDED");
      run(caller, "two");
    }
  }

  @Test
  void whatEndedLongAgoIsArchivedAndStillRead() throws Exception {
    try (ServerHome home = new ServerHome()) {
      String job;
      String before;
      try (StartedServer first = start(home)) {
        Caller caller = first.caller();
        caller.post("/v1/apply", QUEUES).is(200);
        job = submit(caller);
        caller.awaitState(job, "SUCCEEDED");
        assertThat(submit(caller)).isEqualTo(job);
        age(home);
        before = caller.get("/v1/jobs/" + job).is(200).text();
      }
      try (StartedServer next = start(home)) {
        Caller caller = next.caller();
        awaitArchived(home);
        assertThat(caller.get("/v1/jobs/" + job).is(200).text()).isEqualTo(before);
        assertThat(caller.get("/v1/jobs").is(200).at("/items/0/id")).isEqualTo(job);
        assertThat(caller.get("/v1/jobs/" + job + "/attempts").is(200).at("/items/0/outcome"))
            .isEqualTo("SUCCEEDED");
        assertThat(caller.get("/v1/jobs/" + job + "/events").is(200).json().at("/items"))
            .isNotEmpty();
        assertThat(caller.get("/v1/audit").is(200).text()).contains(job);
        caller.get("/v1/journal/1/recheck?batches=1000").is(200);

        String repeated = submit(caller);
        assertThat(repeated).isNotEqualTo(job);
        caller.awaitState(repeated, "SUCCEEDED");
      }
    }
  }

  private static String submit(Caller caller) throws Exception {
    return caller
        .post("/v1/jobs", OneServer.job("old", 1, "true"), "Idempotency-Key", "once")
        .at("/id");
  }

  private static void awaitArchived(ServerHome home) throws Exception {
    Instant deadline = Instant.now().plusSeconds(60);
    try (Connection connection = home.database().dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      while (true) {
        try (ResultSet left =
            statement.executeQuery("SELECT FROM job UNION ALL SELECT FROM audit")) {
          if (!left.next()) {
            return;
          }
        }
        assertThat(Instant.now()).isBefore(deadline);
        Thread.sleep(100);
      }
    }
  }

  /** All jobs and audit records become 100 days older. */
  private static void age(ServerHome home) throws Exception {
    try (Connection connection = home.database().dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      String earlier = " - interval '100 days'";
      statement.execute("UPDATE audit SET at = at" + earlier);
      statement.execute(
          "UPDATE job SET created_at = created_at"
              + earlier
              + ", finished_at = finished_at"
              + earlier);
    }
  }
}
