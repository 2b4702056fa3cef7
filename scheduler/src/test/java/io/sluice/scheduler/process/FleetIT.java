// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.admission.policy.EndAllowances;
import io.sluice.scheduler.process.Caller.Reply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The fleet over REST: who holds what until when, and what happened to a slice. */
class FleetIT {
  private static OneServer one;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    one = OneServer.start();
    caller = one.caller();
  }

  @AfterAll
  static void end() throws Exception {
    one.close();
  }

  private static String job(String name, int slices, String rest) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: team}
    spec:
      queue: chips
      accelerator: {type: v6e, topology: 4x4, slices: %d}
      gracePeriod: 1s
      command: [sleep, "600"]
      %s
    """
        .formatted(name, slices, rest);
  }

  @Test
  void aSliceSaysWhoHoldsItSinceWhenAndUntilWhenAtTheLatest() throws Exception {
    String limited = caller.submit(job("limited", 1, "timeLimit: 1h"));
    caller.awaitState(limited, "RUNNING");
    String open = caller.submit(job("open", 1, ""));
    caller.awaitState(open, "RUNNING");

    Reply attempt = caller.get("/v1/jobs/" + limited + "/attempts").is(200);
    String held = attempt.at("/items/0/assignment/slices/0");
    Reply slice = caller.get("/v1/slices/" + held).is(200);
    assertThat(slice.at("/heldBy/job")).isEqualTo(limited);
    assertThat(slice.at("/heldBy/namespace")).isEqualTo("team");
    assertThat(slice.at("/heldBy/generation")).isEqualTo("1");
    assertThat(slice.at("/heldBy/sinceGeneration")).isEqualTo("1");
    assertThat(slice.at("/heldBy/since")).isEqualTo(attempt.at("/items/0/admittedAt"));
    Instant limit = Instant.parse(attempt.at("/items/0/startedAt")).plusSeconds(3601);
    assertThat(Instant.parse(slice.at("/heldBy/until")))
        .isEqualTo(limit.plus(EndAllowances.DEFAULT.drain()));
    for (JsonNode other : caller.get("/v1/slices").is(200).json().path("items")) {
      assertThat(other.path("heldBy").path("until").isNull())
          .isEqualTo(other.at("/heldBy/job").asText().equals(open));
    }

    Reply fleet = caller.get("/v1/fleet").is(200);
    assertThat(fleet.at("/sliceCount/all") + fleet.at("/sliceCount/held")).isEqualTo("22");
    assertThat(fleet.at("/hosts")).isEqualTo("9");
    caller.cancel(limited);
    caller.cancel(open);
  }

  @Test
  void slicesAndHostsComePageByPageEachOnce() throws Exception {
    assertThat(pages("/v1/slices?limit=1")).containsExactly("v6e-0", "v6e-1");
    assertThat(pages("/v1/hosts?limit=2"))
        .containsExactly(
            "cpu", "v6e-0-0", "v6e-0-1", "v6e-0-2", "v6e-0-3", "v6e-1-0", "v6e-1-1", "v6e-1-2",
            "v6e-1-3");
    Reply first = caller.get("/v1/fleet?limit=1").is(200);
    assertThat(first.each("/slices", "name")).containsExactly("v6e-0");
    Reply second = caller.get("/v1/fleet?limit=1&cursor=" + first.at("/nextCursor")).is(200);
    assertThat(second.each("/slices", "name")).containsExactly("v6e-1");
    assertThat(second.json().has("nextCursor")).isFalse();
    caller.get("/v1/slices?limit=0").is(400);
    caller.get("/v1/slices?cursor=%25").is(400);
    caller.get("/v1/hosts?limit=501").is(400);
    caller.get("/v1/slices/nowhere").is(404);
  }

  private static List<String> pages(String path) throws Exception {
    List<String> names = new ArrayList<>();
    String next = "";
    do {
      Reply page = caller.get(next.isEmpty() ? path : path + "&cursor=" + next).is(200);
      page.json().path("items").forEach(item -> names.add(item.path("name").asText()));
      next = page.at("/nextCursor");
    } while (!next.isEmpty());
    return names;
  }

  @Test
  void theMapTellsOfAllSlicesAndThenOnlyOfThoseThatChanged() throws Exception {
    JsonNode all = caller.get("/v1/fleet/map").is(200).json();
    assertThat(all.path("changes").asBoolean()).isFalse();
    assertThat(all.path("sliceCount").asInt()).isEqualTo(2);
    assertThat(all.path("slices")).hasSize(2);
    assertThat(all.at("/kinds/0/type").asText() + all.at("/kinds/0/chips")).isEqualTo("v6e16");

    String job = caller.submit(job("mapped", 1, ""));
    caller.awaitState(job, "RUNNING");
    String held = caller.get("/v1/jobs/" + job + "/attempts").at("/items/0/assignment/slices/0");
    Reply changes = caller.get("/v1/fleet/map?revision=" + all.path("revision").asText()).is(200);
    assertThat(changes.at("/changes")).isEqualTo("true");
    assertThat(changes.json().path("slices")).hasSize(1);
    assertThat(changes.at("/slices/0/name")).isEqualTo(held);
    JsonNode holder =
        changes.json().path("holders").path(changes.json().at("/slices/0/holders/0").asInt());
    assertThat(holder.path("job").asText()).isEqualTo(job);
    assertThat(holder.path("team").asText()).isEqualTo("team");
    assertThat(holder.path("clusterQueue").asText()).isEqualTo("slices");

    String now = changes.at("/revision");
    assertThat(caller.get("/v1/fleet/map?revision=" + now).is(200).json().path("slices")).isEmpty();
    Reply unknown = caller.get("/v1/fleet/map?revision=of-another-server").is(200);
    assertThat(unknown.at("/changes")).isEqualTo("false");
    assertThat(unknown.json().path("slices")).hasSize(2);
    caller.cancel(job);
  }

  @Test
  void aHostThatFailsIsSeenAtItAndAtItsSlice() throws Exception {
    caller.post("/v1/fleet/hosts/v6e-1-2/fail", "").is(202);
    caller.post("/v1/fleet/hosts/cpu/fail", "").is(202);
    Reply slice =
        caller.await("/v1/slices/v6e-1", reply -> reply.at("/condition").equals("ABSENT"));
    assertThat(slice.at("/failedHosts/0")).isEqualTo("v6e-1-2");

    JsonNode hosts = caller.get("/v1/hosts").is(200).json().path("items");
    for (JsonNode host : hosts) {
      String name = host.path("name").asText();
      String wanted =
          name.equals("cpu") || name.equals("v6e-1-2")
              ? "FAILED"
              : name.startsWith("v6e-1") ? "ABSENT" : "READY";
      assertThat(host.path("condition").asText()).as(name).isEqualTo(wanted);
    }
    assertThat(hosts.get(0).at("/capacity/memory").asText()).isEqualTo("16Gi");
    Reply fleet = caller.get("/v1/fleet").is(200);
    assertThat(fleet.at("/hostsFailed") + fleet.at("/sliceCount/absent")).isEqualTo("21");
    caller.post("/v1/fleet/hosts/v6e-1-2/return", "").is(202);
    caller.post("/v1/fleet/hosts/cpu/return", "").is(202);
    caller.await("/v1/slices/v6e-1", reply -> reply.at("/condition").equals("READY"));
  }

  @Test
  void theHistoryOfASliceTellsWhoHeldItAndHowItCameAndWent() throws Exception {
    String id = caller.submit(job("both", 2, ""));
    caller.awaitState(id, "RUNNING");
    caller.post("/v1/fleet/slices/v6e-1/reclaim?notice=1s", "").is(202);
    caller.await(
        "/v1/jobs/" + id + "/attempts",
        reply -> reply.at("/items/0/cause").equals("SLICE_RECLAIMED"));
    caller.await("/v1/slices/v6e-1", reply -> reply.at("/condition").equals("ABSENT"));
    caller.post("/v1/fleet/slices/v6e-1/return", "").is(202);
    caller.awaitState(id, "RUNNING");
    caller.cancel(id);

    Reply whole = caller.get("/v1/slices/v6e-1/history").is(200);
    assertThat(whole.each("/items", "kind"))
        .startsWith("Held", "SliceReturned")
        .containsSubsequence("SliceReturned", "SliceLost", "SliceLeaving", "Held");
    JsonNode last = whole.json().path("items").get(0);
    assertThat(last.path("text").asText()).isEqualTo("held by team/both, attempt 2, generation 1");
    assertThat(last.path("outcome").asText()).isEqualTo("CANCELLED");
    assertThat(last.path("toSequence").asLong()).isGreaterThan(last.path("sequence").asLong());
    assertThat(Instant.parse(last.path("to").asText()))
        .isAfter(Instant.parse(last.path("at").asText()));

    List<String> kinds = new ArrayList<>();
    String next = "";
    do {
      Reply page =
          caller
              .get("/v1/slices/v6e-1/history?limit=1" + (next.isEmpty() ? "" : "&cursor=" + next))
              .is(200);
      kinds.addAll(page.each("/items", "kind"));
      next = page.at("/nextCursor");
    } while (!next.isEmpty());
    assertThat(kinds).isEqualTo(whole.each("/items", "kind"));
    caller.get("/v1/slices/nowhere/history").is(404);
    caller.get("/v1/slices/v6e-1/history?cursor=x").is(400);
  }
}
