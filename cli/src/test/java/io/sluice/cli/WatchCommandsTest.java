// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.watching.JournalServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code get --watch} as a process of its own, against a server that changes meanwhile. */
@SuppressWarnings("NullAway.Init") // JUnit fills the fields.
class WatchCommandsTest {
  private static final String PERIOD = "6s";

  @TempDir Path home;

  private JournalServer server;

  @BeforeEach
  void start() throws Exception {
    server = new JournalServer();
    server.job("a", "PENDING");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static boolean isWait(String request) {
    return request.startsWith("/v1/events") && request.contains("wait=");
  }

  /** Begins a watch, and returns when it waits for events. */
  private CompletableFuture<Processes.Ended> begin(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("get"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("-w", "--timeout", PERIOD, "--server", server.url().toString()));
    CompletableFuture<Processes.Ended> process =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Processes.run(home, all.toArray(String[]::new));
              } catch (Exception failure) {
                throw new IllegalStateException(failure);
              }
            });
    server.awaitRequests(1, WatchCommandsTest::isWait);
    return process;
  }

  /** Returns the lines that the watch printed. */
  private static List<String> lines(CompletableFuture<Processes.Ended> process) throws Exception {
    Processes.Ended ended = process.get(60, TimeUnit.SECONDS);
    assertThat(ended.exitCode()).as(ended.text()).isEqualTo(124);
    return ended.text().lines().toList();
  }

  /** Waits for a change to be printed, so that the next one is another line. */
  private void job(String id, String state) throws Exception {
    int reads = server.answered(request -> request.equals("/v1/jobs/" + id)).size();
    server.job(id, state);
    server.awaitAnswers(reads + 1, request -> request.equals("/v1/jobs/" + id));
  }

  @Test
  void theTableIsFollowedByALineForEachChange() throws Exception {
    CompletableFuture<Processes.Ended> process = begin("jobs");
    job("a", "RUNNING");
    job("b", "PENDING");
    job("b", "PENDING"); // an event that changes nothing to see
    job("a", "SUCCEEDED");
    List<String> lines = lines(process);
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0)).startsWith("NAMESPACE   NAME   QUEUE   PRIORITY   STATE");
    assertThat(lines.stream().skip(1).map(WatchCommandsTest::nameAndState))
        .containsExactly("a PENDING", "a RUNNING", "b PENDING", "a SUCCEEDED");
  }

  private static String nameAndState(String row) {
    String[] cells = row.split(" +", -1);
    return cells[1] + " " + cells[4];
  }

  @Test
  void aJobThatLeavesTheFilterIsPrintedOnceMore() throws Exception {
    CompletableFuture<Processes.Ended> process =
        begin("jobs", "-s", "PENDING", "-q", "main", "-o", "custom-columns=N:.id,S:.status.state");
    job("a", "RUNNING");
    job("a", "SUCCEEDED");
    job("b", "RUNNING");
    job("c", "PENDING");
    assertThat(lines(process).stream().map(line -> line.replaceAll(" +", " ")))
        .containsExactly("N S", "a PENDING", "a RUNNING", "c PENDING");
    assertThat(server.requests(WatchCommandsTest::isWait))
        .allMatch(request -> request.startsWith("/v1/events?queue=main&kind=Job&kind=Attempt&"));
  }

  @Test
  void otherListsAreReadAgainAndTheirDifferencesPrinted() throws Exception {
    String cohort =
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Cohort','metadata':{'name':'NAME',"
            + "'generation':1,'creationTimestamp':'2026-11-22T12:00:00Z'}%s}";
    String one = cohort.replace("NAME", "one").formatted(",'spec':{'parentName':'%s'}");
    String two = cohort.replace("NAME", "two").formatted("");
    List<String> lists =
        List.of(
            "[%s,%s]".formatted(one.formatted("lab"), two),
            "[%s]".formatted(one.formatted("campus")));
    int[] reads = {0};
    server.handle(
        "/v1/cohorts",
        exchange -> {
          String items = lists.get(Math.min(reads[0]++, 1));
          String page = "{'items':%s}".formatted(items).replace('\'', '"');
          JournalServer.send(exchange, 200, page);
        });
    CompletableFuture<Processes.Ended> process = begin("cohorts");
    server.event("none", "Cohort", null);
    assertThat(lines(process).stream().map(WatchCommandsTest::withoutAge))
        .containsExactly("NAME PARENT AGE", "one lab", "two -", "one campus", "cohort/two deleted");
  }

  @Test
  void runsAreReadAgainWhenTheyHaveEvents() throws Exception {
    String run =
        "{'id':'r1','name':'nightly-1','namespace':'team','pipeline':'nightly','version':1,"
            + "'number':1,'logicalTime':'2026-11-22T12:00:00Z','createdBy':'me',"
            + "'createdAt':'2026-11-22T12:00:00Z','state':'%s'}";
    String[] state = {"RUNNING"};
    server.handle(
        "/v1/runs",
        exchange -> {
          String page = "{'items':[%s]}".formatted(run.formatted(state[0])).replace('\'', '"');
          exchange.getResponseHeaders().set("Sluice-Sequence", "101");
          JournalServer.send(exchange, 200, page);
        });
    CompletableFuture<Processes.Ended> process = begin("runs", "-n", "team");
    state[0] = "SUCCEEDED";
    server.event("none", "Run", "SUCCEEDED");
    assertThat(lines(process).stream().skip(1).map(WatchCommandsTest::nameAndThird))
        .containsExactly("nightly-1 RUNNING", "nightly-1 SUCCEEDED");
    assertThat(server.requests(WatchCommandsTest::isWait))
        .allMatch(request -> request.startsWith("/v1/events?namespace=team&kind=Run&"));
  }

  private static String nameAndThird(String row) {
    String[] cells = row.split(" +", -1);
    return cells[1] + " " + cells[2];
  }

  private static String withoutAge(String row) {
    return row.replaceAll(" +", " ").replaceAll(" \\d+[smhd]$", "");
  }

  @Test
  void kindsWithoutEventsAreRefused() throws Exception {
    for (String kind : List.of("pipelines", "hosts", "pending", "backfills", "allocations")) {
      Processes.Ended refused =
          Processes.run(home, "get", kind, "-w", "--server", server.url().toString());
      assertThat(refused.exitCode()).as(kind).isEqualTo(2);
      assertThat(refused.text()).contains("cannot be watched", "has no events of them");
    }
    assertThat(server.requests(request -> true)).isEmpty();
    assertThat(Processes.run(home, "get", "jobs", "--timeout", "3s").text())
        .contains("--timeout needs --watch");
  }
}
