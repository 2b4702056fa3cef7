// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tokens that the server issues: what they open, and until when, here and on a follower. */
class TokensIT {
  private static OneServer server;
  private static Caller owner;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
    owner = server.caller();
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  private static String create(String name, String rest) throws Exception {
    return issue(name, rest).at("/token");
  }

  private static Reply issue(String name, String rest) throws Exception {
    return owner.post("/v1/tokens", "{\"name\":\"%s\",%s}".formatted(name, rest)).is(201);
  }

  private static final String SUBMITTER = "\"role\":\"submitter\",\"namespaces\":[\"team\"]";

  @Test
  void aTokenHasTheRightsOfItsRoleAndItsHashAloneIsStored() throws Exception {
    Reply created = issue("sue", SUBMITTER);
    String token = created.at("/token");
    assertThat(token).matches("sluice_[A-Za-z0-9_-]{43}");
    assertThat(created.header("Location")).isEqualTo("/v1/tokens/sue");
    assertThat(created.header("Cache-Control")).isEqualTo("no-store");
    Caller sue = owner.as(token);
    String id = sue.submit(job("of-sue", 1, "true"));
    assertThat(sue.get("/v1/jobs/" + id).at("/status/submittedBy")).isEqualTo("sue");
    sue.post("/v1/jobs", job("x", 1, "true").replace("namespace: team", "namespace: other"))
        .is(403);
    sue.get("/v1/tokens").is(403);
    sue.delete("/v1/tokens/sue").is(403);
    Reply read = owner.get("/v1/tokens/sue").is(200);
    assertThat(read.text()).doesNotContain(token);
    assertThat(read.at("/state")).isEqualTo("valid");
    assertThat(read.at("/createdBy")).isEqualTo("local");
    owner.await("/v1/tokens/sue", reply -> !reply.at("/lastUsedAt").isEmpty());
    String row = "caller_token t WHERE name = 'sue' AND strpos(t::text, '%s') > 0";
    assertThat(server.count(row.formatted("sue"))).isEqualTo(1);
    assertThat(server.count(row.formatted(token))).isZero();
    assertThat(server.count("audit a WHERE strpos(a::text, '" + token + "') > 0")).isZero();
  }

  @Test
  void eachChangeIsInTheAudit() throws Exception {
    create("audited", SUBMITTER);
    owner.post("/v1/tokens/audited/rotate?grace=1h", "").is(200);
    owner.delete("/v1/tokens/audited").is(204);
    Reply audit = owner.get("/v1/audit?kind=Token&name=audited").is(200);
    assertThat(audit.each("/items", "action")).containsExactly("delete", "rotate", "create");
    assertThat(audit.each("/items", "caller")).containsOnly("local");
    owner.get("/v1/tokens/audited").is(404);
    owner.delete("/v1/tokens/audited").is(404);
    owner.post("/v1/tokens/audited/rotate", "").is(404);
  }

  @Test
  void aRotatedTokenIsValidForItsGraceAndNotWithoutOne() throws Exception {
    String first = create("robin", SUBMITTER);
    Reply rotated = owner.post("/v1/tokens/robin/rotate?grace=1h", "").is(200);
    String second = rotated.at("/token");
    assertThat(Instant.parse(rotated.at("/issued/formerValidUntil"))).isAfter(Instant.now());
    owner.as(first).get("/v1/jobs").is(200);
    owner.as(second).get("/v1/jobs").is(200);
    String third = owner.post("/v1/tokens/robin/rotate", "").is(200).at("/token");
    owner.as(first).get("/v1/jobs").is(401);
    owner.as(second).get("/v1/jobs").is(401);
    owner.as(third).get("/v1/jobs").is(200);
    owner.post("/v1/tokens/robin/rotate?grace=721h", "").is(422);
  }

  @Test
  void aTokenThatExpiresIsRefusedWithItsName() throws Exception {
    String token =
        create("ed", SUBMITTER + ",\"expiresAt\":\"" + Instant.now().plusSeconds(2) + "\"");
    Reply refused = owner.as(token).await("/v1/jobs", reply -> reply.status() == 401);
    assertThat(refused.at("/detail")).contains("ed", "expired");
    assertThat(owner.get("/v1/tokens/ed").at("/state")).isEqualTo("expired");
    owner.post("/v1/tokens/ed/rotate", "").is(409);
  }

  @Test
  void aFollowerKnowsATokenUntilItIsRevokedAtTheLeader() throws Exception {
    try (StartedServer other = server.follower()) {
      String token = create("frank", "\"role\":\"admin\"");
      Caller there = other.caller().as(token);
      there.await("/v1/server", reply -> reply.status() == 200);
      owner.delete("/v1/tokens/frank").is(204);
      owner.as(token).get("/v1/server").is(401);
      Reply refused = there.await("/v1/server", reply -> reply.status() == 401);
      assertThat(refused.at("/detail")).contains("not known");
    }
  }

  @Test
  void whatLastsEndsWhenTheTokenIsRevoked() throws Exception {
    Caller will = owner.as(create("will", SUBMITTER));
    String id = will.submit(job("lasts", 1, "echo begun; sleep 300"));
    owner.awaitState(id, "RUNNING");
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Reply> events =
          threads.submit(() -> will.get("/v1/events", "Accept", "text/event-stream"));
      Future<Reply> log = threads.submit(() -> will.get("/v1/jobs/" + id + "/logs?follow=true"));
      Thread.sleep(1_000);
      assertThat(events.isDone()).isFalse();
      assertThat(log.isDone()).isFalse();
      owner.delete("/v1/tokens/will").is(204);
      assertThat(log.get(StartedServer.PATIENCE.toSeconds(), TimeUnit.SECONDS).text())
          .contains("begun");
      events.get(StartedServer.PATIENCE.toSeconds(), TimeUnit.SECONDS).is(200);
    } finally {
      threads.shutdownNow();
      owner.cancel(id);
    }
  }

  @Test
  void namesAreUniqueAcrossFileAndDatabase() throws Exception {
    create("una", SUBMITTER);
    for (String taken : List.of("una", "a-viewer", "local")) {
      String body = "{\"name\":\"%s\",\"role\":\"viewer\"}".formatted(taken);
      assertThat(owner.post("/v1/tokens", body).is(409).at("/detail")).contains(taken);
    }
  }

  @Test
  void ofTwoWhoCreateTheSameNameOneSucceeds() throws Exception {
    String body = "{\"name\":\"twice\",\"role\":\"viewer\"}";
    ExecutorService both = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Integer>> requests = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        requests.add(() -> owner.post("/v1/tokens", body).status());
      }
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> one : both.invokeAll(requests)) {
        statuses.add(one.get());
      }
      assertThat(statuses).containsOnlyOnce(201).containsOnly(201, 409);
    } finally {
      both.shutdownNow();
    }
  }

  @Test
  void wrongRequestsAreRefusedWithTheirField() throws Exception {
    String[][] cases = {
      {"", "name"},
      {"[]", "name"},
      {"{", "JSON"},
      {"{\"name\":\"x\"}", "role"},
      {"{\"name\":\"x\",\"role\":\"root\"}", "role"},
      {"{\"name\":\"x\",\"role\":\"submitter\"}", "namespaces"},
      {"{\"name\":\"x/y\",\"role\":\"viewer\"}", "x/y"},
      {"{\"name\":\"server\",\"role\":\"viewer\"}", "server"},
      {"{\"name\":\"x\\u0000\",\"role\":\"viewer\"}", "name"},
      {"{\"name\":\"x\",\"role\":\"viewer\",\"namespaces\":[\"a,b\"]}", "namespaces"},
      {"{\"name\":\"x\",\"role\":\"viewer\",\"namespaces\":[\"A\"]}", "namespace"},
      {"{\"name\":\"x\",\"role\":\"viewer\",\"expiresAt\":\"soon\"}", "expiresAt"},
      {"{\"name\":\"x\",\"role\":\"viewer\",\"days\":3}", "days"},
    };
    for (String[] one : cases) {
      Reply refused = owner.post("/v1/tokens", one[0]).is(400);
      assertThat(refused.at("/detail")).as(one[0]).contains(one[1]);
    }
    for (String time : List.of("2020-01-01T00:00:00Z", "9000-01-01T00:00:00Z")) {
      String body = "{\"name\":\"x\",\"role\":\"viewer\",\"expiresAt\":\"%s\"}".formatted(time);
      owner.post("/v1/tokens", body).is(422);
    }
    owner.get("/v1/tokens/%00").is(404);
    owner.get("/v1/tokens/x").is(404);
  }

  @Test
  void unknownTokensOfTheFormOfIssuedOnesAreRefused() throws Exception {
    Caller stranger = owner.as("sluice_" + "A".repeat(43));
    assertThat(stranger.get("/v1/jobs").is(401).at("/detail")).contains("not known");
    stranger.post("/v1/jobs", job("x", 1, "true")).is(401);
  }

  @Test
  void listsArePaged() throws Exception {
    create("page-1", SUBMITTER);
    create("page-2", SUBMITTER);
    Reply first = owner.get("/v1/tokens?limit=1").is(200);
    assertThat(first.json().at("/items")).hasSize(1);
    Reply next = owner.get("/v1/tokens?limit=500&cursor=" + first.at("/nextCursor")).is(200);
    assertThat(next.each("/items", "name"))
        .contains("page-2")
        .isSorted()
        .doesNotContain(first.at("/items/0/name"));
  }
}
