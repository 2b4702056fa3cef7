// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schedules of pipelines by servers that are killed, down, or asked. */
class ScheduleIT {
  /** How long a hundred schedules fire each second. */
  private static final int SECONDS = Integer.getInteger("sluice.schedules.seconds", 15);

  /** How many schedules are due at one moment. */
  private static final int MANY = Integer.getInteger("sluice.schedules.count", 300);

  private static final int PIPELINES = 20;
  private static final int SCHEDULES = 5;

  private static final String FLEET =
      """
      apiVersion: sluice.io/v1
      kind: Fleet
      metadata: {name: simulated}
      spec:
        executor: simulated
        hosts: [{name: cpu, count: 4, capacity: {cpu: 1000, memory: 1000Gi}}]
      """;
  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: any}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: all}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: any, resources: [{name: cpu, nominalQuota: 400}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: all}
      """;

  private ServerHome home;

  @BeforeEach
  void create() throws Exception {
    home = ServerHome.of(FLEET);
  }

  @AfterEach
  void delete() throws Exception {
    home.close();
  }

  private static String pipeline(String name, String schedules, String runTime) {
    return """
        apiVersion: sluice.io/v1
        kind: Pipeline
        metadata: {name: %s, namespace: team}
        spec:
          schedules: [%s]
          steps:
          - name: a
            job:
              metadata: {annotations: {sluice.io/simulated-run-time: %s}}
              spec: {queue: main, command: [echo, "${{ run.logicalTime }}"], requests: {cpu: 1}}
        """
        .formatted(name, schedules, runTime);
  }

  private String ask(String query) throws SQLException {
    try (Connection connection = home.database().dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? String.valueOf(row.getString(1)) : "";
    }
  }

  private void await(String query, String expected) throws Exception {
    Instant deadline = Instant.now().plus(StartedServer.PATIENCE).plusSeconds(SECONDS + MANY / 20);
    String answer = ask(query);
    while (!answer.equals(expected)) {
      if (Instant.now().isAfter(deadline)) {
        throw new AssertionError(query + " stays " + answer);
      }
      Thread.sleep(100);
      answer = ask(query);
    }
  }

  private static Instant secondsFromNow(long seconds) {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(seconds);
  }

  private static void sleepUntil(Instant time) throws InterruptedException {
    Thread.sleep(Math.max(0, Duration.between(Instant.now(), time).toMillis()));
  }

  @Test
  void ofTwoReplicasOneIsKilledAndEveryFireHasItsRunExactlyOnce() throws Exception {
    try (StartedServer first = home.start();
        StartedServer second = home.startBeside("beside")) {
      first.caller().post("/v1/apply", QUOTA).is(200);
      // All have to be saved before the first fires, on a busy machine too.
      Instant start = secondsFromNow(60);
      Instant end = start.plusSeconds(SECONDS);
      StringBuilder manifests = new StringBuilder();
      for (int number = 0; number < PIPELINES; number++) {
        List<String> schedules = new ArrayList<>();
        for (int one = 0; one < SCHEDULES; one++) {
          schedules.add(
              "{name: s%d, cron: '* * * * * *', start: %s, end: %s}".formatted(one, start, end));
        }
        String text = pipeline("p" + number, String.join(", ", schedules), "PT0.1S");
        manifests.append(number == 0 ? "" : "---\n").append(text);
      }
      first.caller().post("/v1/apply", manifests.toString()).is(200);
      assertThat(Instant.now()).as("the fires have not begun").isBefore(start);
      sleepUntil(start.plusSeconds(SECONDS / 3));
      first.kill();

      await("SELECT count(*) FROM pipeline_schedule WHERE due_at IS NOT NULL", "0");
      String fires = Integer.toString(PIPELINES * SCHEDULES * SECONDS);
      assertThat(ask("SELECT count(*) FROM pipeline_run")).isEqualTo(fires);
      assertThat(
              ask(
                  "SELECT count(*) FROM (SELECT DISTINCT pipeline, schedule, logical_time"
                      + " FROM pipeline_run WHERE logical_time >= '%s' AND logical_time < '%s')"
                          .formatted(start, end)
                      + " AS f"))
          .isEqualTo(fires);
      await("SELECT count(*) FROM pipeline_run WHERE state <> 'SUCCEEDED'", "0");
      assertThat(ask("SELECT count(*) FROM job")).isEqualTo(fires);
      assertThat(second.caller().get("/v1/schedules").is(200).each("/items", "missed"))
          .hasSize(PIPELINES * SCHEDULES)
          .containsOnly("0");
      System.out.printf(
          "%s fires, the latest run was written %s s after its time%n",
          fires,
          ask(
              "SELECT round(extract(epoch FROM max(created_at - logical_time)), 2) FROM pipeline_run"));
    }
  }

  @Test
  void manySchedulesOfOneMomentAllHaveTheirRunsAndJobs() throws Exception {
    try (StartedServer server = home.start()) {
      Caller caller = server.caller();
      caller.post("/v1/apply", QUOTA).is(200);
      // Saved so that they are due at one moment, when all are there.
      Instant start = secondsFromNow(100 + MANY / 100);
      for (int number = 0; number < MANY / 10; number++) {
        List<String> schedules = new ArrayList<>();
        for (int one = 0; one < 10; one++) {
          schedules.add(
              "{name: s%d, cron: '* * * * * *', start: %s, end: %s}"
                  .formatted(one, start, start.plusSeconds(1)));
        }
        caller
            .post("/v1/pipelines", pipeline("p" + number, String.join(", ", schedules), "PT0.1S"))
            .is(201);
      }
      assertThat(Instant.now()).as("the fires have not begun").isBefore(start);
      String many = Integer.toString(MANY / 10 * 10);
      Duration serverBefore = server.processorTime();
      Duration databaseBefore = databaseProcessorTime();
      await("SELECT count(*) FROM pipeline_run", many);
      await("SELECT count(*) FROM job", many);
      assertThat(ask("SELECT count(DISTINCT (pipeline, schedule)) FROM pipeline_run"))
          .isEqualTo(many);
      Duration serverWorked = server.processorTime().minus(serverBefore);
      Duration databaseWorked = databaseProcessorTime().minus(databaseBefore);
      String late = "SELECT round(extract(epoch FROM max(%s) - '" + start + "'), 1) FROM %s";
      System.out.printf(
          "%s schedules of one moment: the last run began after %s s, the last job after %s s; %s"
              + " jobs were there after a minute; processors worked %s s for the server, %s s for"
              + " its connections to the database%n",
          many,
          ask(late.formatted("started_at", "pipeline_run")),
          ask(late.formatted("created_at", "job")),
          ask("SELECT count(*) FROM job WHERE created_at <= '" + start.plusSeconds(60) + "'"),
          serverWorked.toSeconds(),
          databaseWorked.toSeconds());
    }
  }

  @Test
  void whatWasMissedWhileTheServerWasDownIsTreatedAsEachPolicySays() throws Exception {
    Instant start;
    String[] missed = {"--missed-after", "2s"};
    try (StartedServer first = home.start(missed)) {
      first.caller().post("/v1/apply", QUOTA).is(200);
      start = secondsFromNow(10);
      String span =
          ", cron: '* * * * * *', start: %s, end: %s".formatted(start, start.plusSeconds(3));
      String schedules =
          String.join(
              ", ",
              "{name: skip, misfirePolicy: Skip" + span + "}",
              "{name: once, misfirePolicy: RunOnce" + span + "}",
              "{name: all, misfirePolicy: RunAll" + span + "}",
              "{name: two, misfirePolicy: RunAll, misfireRunsMax: 2" + span + "}",
              "{name: late, misfirePolicy: RunAll, startingDeadline: 3s" + span + "}");
      first.caller().post("/v1/pipelines", pipeline("p", schedules, "PT0.1S")).is(201);
      first.kill();
    }
    assertThat(Instant.now()).as("the server is down before the first fire").isBefore(start);
    sleepUntil(start.plusSeconds(7));
    try (StartedServer second = home.start(missed)) {
      await("SELECT count(*) FROM pipeline_schedule WHERE due_at IS NOT NULL", "0");
      assertThat(seconds("skip", start)).isEmpty();
      assertThat(seconds("once", start)).isEqualTo("2");
      assertThat(seconds("all", start)).isEqualTo("0,1,2");
      assertThat(seconds("two", start)).isEqualTo("1,2");
      assertThat(seconds("late", start)).isEmpty();
      String path = "/v1/schedules/team/p/";
      assertThat(second.caller().get(path + "skip").is(200).at("/missedReason"))
          .isEqualTo("3 by misfirePolicy Skip");
      assertThat(second.caller().get(path + "once").is(200).at("/missed")).isEqualTo("2");
      assertThat(second.caller().get(path + "late").is(200).at("/missedReason"))
          .isEqualTo("3 later than startingDeadline PT3S");
      await("SELECT count(*) FROM pipeline_run WHERE state <> 'SUCCEEDED'", "0");
    }
  }

  /** How long processors have worked for the processes of the database that are there now. */
  private Duration databaseProcessorTime() throws SQLException {
    String pids = ask("SELECT string_agg(pid::text, ',') FROM pg_stat_activity");
    return Stream.of(pids.split(",", -1))
        .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** The logical times of a schedule's runs, in seconds after a time. */
  private String seconds(String schedule, Instant start) throws SQLException {
    return ask(
        "SELECT coalesce(string_agg(extract(epoch FROM logical_time - '%s')::int::text, ','"
                .formatted(start)
            + " ORDER BY logical_time), '') FROM pipeline_run WHERE schedule = '"
            + schedule
            + "'");
  }

  @Test
  void aScheduleIsSeenPausedResumedAndFilledBack() throws Exception {
    try (StartedServer server = home.start()) {
      Caller caller = server.caller();
      caller.post("/v1/apply", QUOTA).is(200);
      String schedule = "{name: s, cron: '0 2 * * 1-5', timeZone: Europe/Berlin}";
      caller.post("/v1/pipelines", pipeline("nightly", schedule, "PT0.1S")).is(201);
      String path = "/v1/schedules/team/nightly/s";
      Caller.Reply seen = caller.get(path + "?upcoming=8").is(200);
      assertThat(seen.json().at("/upcoming")).hasSize(8);
      assertThat(seen.at("/upcoming/0")).isEqualTo(seen.at("/nextTime"));
      Caller.Reply known = caller.get("/v1/schedules/upcoming?within=168h&namespace=team").is(200);
      assertThat(known.each("/items", "logicalTime")).hasSize(5);
      assertThat(known.at("/items/0/logicalTime")).isEqualTo(seen.at("/nextTime"));
      assertThat(known.at("/items/0/jobs/0/queue")).isEqualTo("main");
      assertThat(known.at("/items/0/jobs/0/podSets/0/requests/cpu")).isEqualTo("1");
      checkPagesOfUpcoming(caller, known.at("/items/1/logicalTime"));
      assertThat(caller.post(path + "/pause", "").is(200).at("/paused")).isEqualTo("true");
      assertThat(caller.get("/v1/schedules?pipeline=nightly").is(200).at("/items/0/nextTime"))
          .isEmpty();
      assertThat(caller.post(path + "/resume", "").is(200).at("/nextTime"))
          .isEqualTo(seen.at("/nextTime"));

      String week = "{\"from\": \"2026-03-23T00:00:00Z\", \"to\": \"2026-04-04T00:00:00Z\"}";
      String[] key = {"Idempotency-Key", "march"};
      String id = caller.post(path + "/backfills", week, key).is(201).at("/id");
      assertThat(caller.post(path + "/backfills", week, key).is(201).at("/id")).isEqualTo(id);
      Caller.Reply ended =
          caller.await("/v1/backfills/" + id, reply -> reply.at("/state").equals("ENDED"));
      assertThat(ended.at("/begun")).isEqualTo("10");
      // The clock goes ahead on the Sunday between: two o'clock is an hour earlier by UTC then.
      assertThat(
              ask(
                  "SELECT string_agg(to_char(logical_time AT TIME ZONE 'UTC', 'DD/HH24'), ' '"
                      + " ORDER BY logical_time) FROM pipeline_run"))
          .isEqualTo("23/01 24/01 25/01 26/01 27/01 30/00 31/00 01/00 02/00 03/00");
      assertThat(ask("SELECT count(*) FROM pipeline_run WHERE state = 'SUCCEEDED'"))
          .isEqualTo("10");
      Caller.Reply again = caller.post(path + "/backfills", week).is(201);
      assertThat(
              caller
                  .await(
                      "/v1/backfills/" + again.at("/id"),
                      reply -> reply.at("/state").equals("ENDED"))
                  .at("/thereBefore"))
          .isEqualTo("10");
      checkPages(caller, again.at("/id"), id);
    }
  }

  private static void checkPagesOfUpcoming(Caller caller, String next) throws Exception {
    caller.get("/v1/schedules/upcoming?within=169h").is(400);
    caller.get("/v1/schedules/upcoming?within=soon").is(400);
    caller.get("/v1/schedules/upcoming?cursor=bm90aGluZw").is(400);
    String paged = "/v1/schedules/upcoming?within=168h&limit=1";
    Caller.Reply first = caller.get(paged).is(200);
    Caller.Reply second = caller.get(paged + "&cursor=" + first.at("/nextCursor")).is(200);
    assertThat(second.at("/items/0/logicalTime")).isEqualTo(next);
  }

  private static void checkPages(Caller caller, String newer, String older) throws Exception {
    Caller.Reply first = caller.get("/v1/backfills?limit=1").is(200);
    assertThat(first.each("/items", "id")).containsExactly(newer);
    Caller.Reply second =
        caller.get("/v1/backfills?limit=1&cursor=" + first.at("/nextCursor")).is(200);
    assertThat(second.each("/items", "id")).containsExactly(older);
    assertThat(second.json().has("nextCursor")).isFalse();
  }

  @Test
  void whatCannotBeIsRefusedWithItsReason() throws Exception {
    try (StartedServer server = home.start()) {
      Caller caller = server.caller();
      String never = "{name: s, cron: '0 0 30 2 *'}";
      assertThat(
              caller.post("/v1/pipelines", pipeline("never", never, "PT1S")).is(422).at("/detail"))
          .isEqualTo(
              "spec.schedules[0] of pipeline never: cron 0 0 30 2 * never fires: no month that it"
                  + " names has such a day");
      String path = "/v1/schedules/team/often/s";
      caller.get(path).is(404);
      String often = "{name: s, cron: '* * * * * *', paused: true}";
      caller.post("/v1/pipelines", pipeline("often", often, "PT1S")).is(201);
      String day = "{\"from\": \"2026-03-01T00:00:00Z\", \"to\": \"2026-03-02T03:46:40Z\"}";
      assertThat(caller.post(path + "/backfills", day).is(422).at("/detail"))
          .isEqualTo(
              "a backfill has at most 10000 runs; * * * * * * fires more often from"
                  + " 2026-03-01T00:00:00Z to 2026-03-02T03:46:40Z: ask for less at a time");
      assertThat(
              caller.post(path + "/backfills", day.replace("2026", "2999")).is(422).at("/detail"))
          .isEqualTo("a backfill is of past times: it must not go on after now");
      caller.post(path + "/backfills", "{\"from\": 1}").is(400);
      caller.post(path + "/backfills", "").is(400);
      caller.get(path + "?upcoming=1001").is(400);
      caller.get("/v1/schedules?cursor=x").is(400);
      caller.get("/v1/backfills/x").is(400);
    }
  }
}
