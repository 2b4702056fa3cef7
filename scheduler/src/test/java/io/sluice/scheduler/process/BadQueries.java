// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.BadRequests.post;

import io.sluice.scheduler.process.BadRequests.BadRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** Requests with an invalid path or parameter, each with one fault. */
final class BadQueries {
  private static final String PENDING =
      "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/cpus/pendingworkloads";
  private static final String UNKNOWN_ID = "01890000-0000-7000-8000-000000000000";

  private BadQueries() {}

  static Stream<BadRequest> all() {
    return Stream.of(questions(), fields(), parameters(), ignored(), paths())
        .flatMap(requests -> requests);
  }

  private static BadRequest get(String path, int status, String... names) {
    return new BadRequest("GET " + path, "GET", path, "", List.of(), status, List.of(names));
  }

  private static String cursor(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Stream<BadRequest> questions() {
    return Stream.of(
        post(
            "a dry run that is neither",
            "/v1/jobs?dryRun=perhaps",
            OneServer.job("tried", 1, "true"),
            400,
            "dryRun",
            "perhaps"),
        get("/v1/jobs?limit=-1", 400, "limit", "-1"),
        get("/v1/jobs?limit=0", 400, "limit", "0"),
        get("/v1/jobs?limit=501", 400, "limit", "501"),
        get("/v1/jobs?limit=abc", 400, "limit", "abc"),
        get("/v1/jobs?limit=99999999999", 400, "limit", "99999999999"),
        get("/v1/jobs?cursor=%21%21", 400, "cursor", "!!").of("invalid-cursor"),
        get("/v1/jobs?cursor=" + cursor("x"), 400, "cursor").of("invalid-cursor"),
        get("/v1/jobs?cursor=" + cursor("2026-01-01T00:00:00Z x"), 400, "cursor")
            .of("invalid-cursor"),
        get("/v1/jobs?cursor=" + cursor("+999999999-12-31T00:00:00Z " + UNKNOWN_ID), 400, "cursor")
            .of("invalid-cursor"),
        get("/v1/jobs?state=flying", 400, "state", "flying", "PENDING"),
        get("/v1/jobs?label=novalue", 400, "label", "novalue"),
        get("/v1/jobs?label=a%3D%00", 400, "label"),
        get("/v1/jobs?namespace=a%00b", 400, "namespace"),
        get("/v1/jobs?queue=%00", 400, "queue"),
        get("/v1/jobs?name=%00", 400, "name"),
        get("/v1/jobs?clusterQueue=%00", 400, "clusterQueue"),
        get("/v1/jobs/not-an-id", 400, "not-an-id"),
        get("/v1/jobs/" + UNKNOWN_ID, 404, UNKNOWN_ID).of("not-found"),
        get("/v1/jobs/" + UNKNOWN_ID + "/events", 404, UNKNOWN_ID),
        get("/v1/jobs/" + UNKNOWN_ID + "/attempts", 404, UNKNOWN_ID),
        get("/v1/jobs/" + UNKNOWN_ID + "/explanation", 404, UNKNOWN_ID),
        get("/v1/jobs/" + UNKNOWN_ID + "/logs", 404, UNKNOWN_ID),
        get("/v1/jobs/" + UNKNOWN_ID + "/events?cursor=" + cursor("x/y"), 400, "cursor")
            .of("invalid-cursor"),
        get("/v1/jobs/" + UNKNOWN_ID + "/logs?index=first", 400, "index", "first"),
        get("/v1/jobs/" + UNKNOWN_ID + "/logs?attempt=last", 400, "attempt", "last"),
        get("/v1/jobs/" + UNKNOWN_ID + "/logs?tail=-1", 400, "tail", "-1"),
        get("/v1/jobs/" + UNKNOWN_ID + "/logs?follow=maybe", 400, "follow", "maybe"),
        get("/v1/clusterqueues?cursor=" + cursor("x"), 400, "cursor").of("invalid-cursor"),
        get("/v1/clusterqueues?cursor=" + cursor("\0/\0"), 400, "cursor").of("invalid-cursor"),
        get("/v1/clusterqueues/a%00b", 404, "ClusterQueue"),
        get("/v1/clusterqueues/nobody", 404, "nobody").of("not-found"),
        get("/v1/localqueues/main", 404, "/{namespace}/{name}"),
        get("/v1/clusterqueues/team/main", 404, "/v1/clusterqueues/{name}"),
        get("/v1/fleet/allocations?limit=-1", 400, "limit", "-1"),
        get("/v1/fleet/allocations?overlapping=yes", 400, "overlapping", "yes"),
        post("a cancel of nothing", "/v1/jobs/" + UNKNOWN_ID + "/cancel", "", 404, UNKNOWN_ID),
        post("a cancel of no id", "/v1/jobs/x/cancel", "", 400, "x"));
  }

  private static Stream<BadRequest> fields() {
    return Stream.of(
        get("/v1/server?fields=versoin", 400, "versoin", "version"),
        get("/v1/jobs?fields=items..id", 400, "fields", "items..id"),
        get("/v1/jobs?fields=", 400, "fields"),
        get("/v1/backup?fields=id", 400, "fields").of("unknown-parameter"),
        post(
            "a parameter where there is none",
            "/v1/jobs/" + UNKNOWN_ID + "/cancel?wide=true",
            "",
            400,
            "wide",
            "it has none"));
  }

  /** Returns one invalid value per kind of parameter; none is answered as an unknown path. */
  private static Stream<BadRequest> parameters() {
    String job = "/v1/jobs/" + UNKNOWN_ID;
    Stream<BadRequest> all =
        Stream.of(
            get("/v1/jobs?limit=x", 400, "limit must be a whole number between 1 and 500, it is x"),
            get("/v1/jobs?held=perhaps", 400, "held must be true or false, it is perhaps"),
            get(job + "/attempts?index=-1", 400, "index", "between 0 and 2147483647", "-1"),
            post("a hold that does neither", job + "/hold?running=stop", "", 400, "evict, leave"),
            post(
                "a lost attempt 0",
                job + "/confirm-lost?attempt=0",
                "",
                400,
                "attempt must be",
                "0"),
            post("a lost attempt", job + "/confirm-lost?index=1", "", 400, "attempt is missing"),
            get("/v1/names/job?name=a&purpose=look", 400, "purpose", "read, change", "look"),
            get("/v1/audit?caller=a%00b", 400, "caller must not hold NUL"),
            get("/v1/journal/0/recheck", 400, "sequence of a batch", "from 1 on"),
            get("/v1/journal/1/recheck?batches=0", 400, "batches must be a whole number", "0"),
            get("/v1/runs/not-an-id", 400, "not-an-id is no id of a run"),
            get("/v1/runs?cursor=x", 400, "x is no id of a run").of("invalid-cursor"),
            get("/v1/backfills/not-an-id", 400, "not-an-id is no id of a backfill"),
            get("/v1/pipelines/Team/train", 400, "namespace", "Team"),
            get("/v1/schedules/team/train/night?upcoming=1001", 400, "upcoming", "1000", "1001"),
            get("/v1/schedules/upcoming?within=soon", 400, "within", "soon"),
            get(
                "/v1/schedules/upcoming?within=200h",
                400,
                "within must be at most 168h, it is 200h"),
            get(PENDING + "?offset=-1", 400, "offset", "-1"),
            post("a notice", "/v1/fleet/slices/a/reclaim?notice=soon", "", 400, "notice", "soon"));
    return all.map(one -> one.code().isEmpty() ? one.of("bad-request") : one);
  }

  private static BadRequest method(String method, String path) {
    return new BadRequest(
            method + " " + path, method, path, "", List.of(), 405, List.of(method, path))
        .of("method-not-allowed");
  }

  /** Returns unknown fields and parameters, which must be refused, not ignored. */
  private static Stream<BadRequest> ignored() {
    String spot = "/v1/fleet/capacity/spot";
    return Stream.of(
        get("/v1/jobs?limitt=3", 400, "limitt", "GET /v1/jobs", "limit", "namespace")
            .of("unknown-parameter"),
        get("/v1/jobs?limit=3&limit=4", 400, "limit", "2 times").of("bad-request"),
        get("/v1/jobs/" + UNKNOWN_ID + "?wide=true", 400, "wide", "allowed: fields")
            .of("unknown-parameter"),
        get("/v1/jobs?label=a%3Dx,b", 400, "label", "a=x,b"),
        get("/v1/jobs?label=a%3Dx,a%3Dy", 400, "label", "a", "x and y"),
        get("/v1/jobs?label=a%3Dx&label=a%3Dy", 400, "label", "x and y"),
        get("/v1/jobs?label=a%3D-", 400, "label", "a=-"),
        get("/v1/pipelines?state=RUNNING", 400, "state", "namespace").of("unknown-parameter"),
        get("/v1/fleet/allocations?slice=a", 400, "slice", "cursor").of("unknown-parameter"),
        get("/v1/attempts?withoutSlices=1", 400, "withoutSlices", "1"),
        get("/v1/attempts?cursor=bm90aGluZw", 400, "cursor"),
        get("/v1/hosts?limit=501", 400, "limit", "501", "500"),
        get(PENDING + "?limit=10001", 400, "limit", "10001", "10000"),
        get(PENDING + "?start=3", 400, "start", "offset").of("unknown-parameter"),
        post(
                "a name for no parameter",
                "/v1/apply?dryrun=true",
                BadRequests.COHORTS,
                400,
                "dryrun",
                "dryRun")
            .of("unknown-parameter"),
        post("a body that nobody reads", "/v1/jobs/" + UNKNOWN_ID + "/cancel", "{}", 400, "no body")
            .of("unexpected-body"),
        new BadRequest(
                "capacity in a body",
                "PUT",
                spot,
                "{\"outOfStock\": true}",
                List.of(),
                400,
                List.of("PUT " + spot, "no body", "outOfStock", "grantAfter"))
            .of("unexpected-body"),
        new BadRequest(
            "a flag that is none",
            "PUT",
            spot + "?outOfStock=perhaps",
            "",
            List.of(),
            400,
            List.of("outOfStock", "perhaps")));
  }

  private static Stream<BadRequest> paths() {
    return Stream.of(
        get("/", 404, "/").of("unknown-path"),
        get("/nothing", 404, "/nothing").of("unknown-path"),
        get("/v1", 404, "/v1").of("unknown-path"),
        get("/v1/nothing", 404, "/v1/nothing").of("unknown-path"),
        get("/v1/jobs/" + UNKNOWN_ID + "/nothing", 404, "/nothing").of("unknown-path"),
        post("posting to no path", "/v1/clusterqueue", "", 404, "/v1/clusterqueue")
            .of("unknown-path"),
        method("DELETE", "/v1/jobs"),
        method("PUT", "/v1/jobs"),
        method("PATCH", "/v1/clusterqueues/top"),
        method("POST", "/v1/fleet"),
        method("DELETE", "/v1/server"),
        method("GET", "/v1/apply"),
        method("GET", "/v1/jobs/" + UNKNOWN_ID + "/cancel"));
  }
}
