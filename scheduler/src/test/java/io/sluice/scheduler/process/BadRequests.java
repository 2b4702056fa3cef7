// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Invalid requests, each with one fault. */
final class BadRequests {
  /** Two cohorts, one the parent of the other. */
  static final String COHORTS =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Cohort
      metadata: {name: top}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Cohort
      metadata: {name: middle}
      spec: {parentName: top}
      """;

  private static final String PENDING =
      "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/cpus/pendingworkloads";
  private static final String UNKNOWN_ID = "01890000-0000-7000-8000-000000000000";

  /**
   * A request and the expected answer.
   *
   * @param names words in the answer, such as field and value
   */
  record BadRequest(
      String what,
      String method,
      String path,
      String body,
      List<String> headers,
      int status,
      List<String> names) {
    @Override
    public String toString() {
      return what;
    }
  }

  private BadRequests() {}

  static Stream<BadRequest> all() {
    return Stream.of(
            jobFields(),
            jobReferences(),
            documents(),
            cohorts(),
            quotas(),
            objects(),
            questions(),
            parameters(),
            ignored(),
            paths())
        .flatMap(requests -> requests);
  }

  private static BadRequest post(
      String what, String path, String body, int status, String... names) {
    return new BadRequest(what, "POST", path, body, List.of(), status, List.of(names));
  }

  private static BadRequest get(String path, int status, String... names) {
    return new BadRequest("GET " + path, "GET", path, "", List.of(), status, List.of(names));
  }

  /** Returns a valid job except for one line of its spec. */
  private static BadRequest spec(String line, int status, String... names) {
    String body =
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: job, namespace: team}
        spec:
          queue: main
          command: ["true"]
          %s
        """
            .formatted(line);
    return post("job with " + line, "/v1/jobs", body, status, names);
  }

  private static BadRequest slices(String accelerator, int status, String... names) {
    String body =
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: job, namespace: team}
        spec: {queue: chips, command: ["true"], accelerator: {%s}}
        """
            .formatted(accelerator);
    return post("job on " + accelerator, "/v1/jobs", body, status, names);
  }

  private static BadRequest named(String name, String... names) {
    String body =
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: %s, namespace: team}
        spec: {queue: main, command: ["true"]}
        """
            .formatted(name);
    return post("job named " + name, "/v1/jobs", body, 400, names);
  }

  private static Stream<BadRequest> jobFields() {
    return Stream.of(
        spec("comand: [x]", 400, "spec.comand"),
        spec("requests: {cpu: 1e999}", 400, "spec.requests", "999"),
        spec("requests: {cpu: '1e999'}", 400, "spec.requests", "999"),
        spec("requests: {cpu: -1}", 400, "spec.requests", "-1"),
        spec("requests: {cpu: lots}", 400, "spec.requests", "lots"),
        spec("requests: {cpu: 9223372036854775808}", 400, "spec.requests", "9223372036854775808"),
        spec("requests: {memory: 99E}", 400, "spec.requests", "99E"),
        spec("requests: {cpu: .nan}", 400, "spec.requests", "nan"),
        spec("requests: [1]", 400, "spec.requests"),
        spec("array: {count: 0}", 400, "spec.array.count", "0"),
        spec("array: {count: -1}", 400, "spec.array.count", "-1"),
        spec("array: {count: 99999999999999999999}", 400, "spec.array.count", "99999999999999"),
        spec("array: {count: 1.5}", 400, "spec.array.count", "1.5"),
        spec("array: {count: 2, maxParallel: 3}", 400, "spec.array.maxParallel", "3"),
        spec("maxFailures: -1", 400, "spec.maxFailures", "-1"),
        spec("timeLimit: -5s", 400, "spec.timeLimit", "-5s"),
        spec("timeLimit: forever", 400, "spec.timeLimit", "forever"),
        spec("gracePeriod: 99999999h", 400, "spec.gracePeriod", "99999999h"),
        spec("preemptible: perhaps", 400, "spec.preemptible", "perhaps"),
        spec("podSets: []", 400, "spec.podSets"),
        spec("podSets: [{name: a, count: 2147483648}]", 400, "spec.podSets[0].count", "2147483648"),
        spec("env: {A: \"\\0\"}", 400, "spec.env"),
        slices("type: v6e, topology: 4x4, slices: 0", 400, "spec.accelerator.slices", "0"),
        slices("type: v6e, topology: 4x4, slices: -3", 400, "spec.accelerator.slices", "-3"),
        slices("type: v6e, topology: 4x4, slices: 9999999999", 400, "slices", "9999999999"),
        slices("type: v99, topology: 4x4", 400, "spec.accelerator.type", "v99"),
        slices("type: v6e, topology: 3x5", 400, "spec.accelerator.topology", "3x5"),
        slices("type: v6e, topology: 4xx4", 400, "spec.accelerator.topology", "4xx4"),
        slices("type: v6e, topology: 99999999999x4", 400, "topology", "99999999999x4"),
        named("Upper", "metadata.name", "Upper"),
        named("under_score", "metadata.name", "under_score"),
        named("-dash", "metadata.name", "-dash"),
        named("a..b", "metadata.name", "a..b"),
        named("''", "metadata.name"),
        named("ünder", "metadata.name", "ünder"),
        named("a".repeat(300), "metadata.name", "aaaa"),
        named("a".repeat(1_000_000), "metadata.name", "aaaa"),
        named("job, namespace: a.b, labels: {}", "metadata.namespace"));
  }

  private static Stream<BadRequest> jobReferences() {
    return Stream.of(
        spec("priorityClass: nobody", 422, "spec.priorityClass", "nobody"),
        post(
            "job of no queue",
            "/v1/jobs",
            OneServer.job("job", 1, "true").replace("queue: main", "queue: nowhere"),
            422,
            "spec.queue",
            "nowhere",
            "team"),
        post(
            "job of no namespace",
            "/v1/jobs",
            OneServer.job("job", 1, "true").replace("namespace: team", "namespace: nowhere"),
            422,
            "spec.queue",
            "nowhere"),
        slices(
            "type: v6e, topology: 4x4, slices: 3", 422, "spec.accelerator.slices", "3", "only 2"),
        slices("type: v6e, topology: 8x8", 422, "spec.accelerator.slices", "no slice", "8x8"),
        slices("type: v5p, topology: 2x2x2", 422, "spec.accelerator.slices", "v5p"));
  }

  private static Stream<BadRequest> documents() {
    String job = OneServer.job("job", 1, "true");
    String jobs = String.join("---\n", IntStream.range(0, 1_001).mapToObj(n -> job).toList());
    String laughs =
        """
        a: &a [l, l, l, l, l, l, l, l, l]
        b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
        c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
        d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
        e: [*d, *d, *d, *d, *d, *d, *d, *d, *d]
        """;
    return Stream.of(
        post("no body", "/v1/jobs", "", 400, "empty"),
        post("JSON that breaks off", "/v1/jobs", "{\"apiVersion\": \"sluice", 400, "JSON"),
        post("YAML that breaks off", "/v1/jobs", "a: [1, 2", 400, "YAML"),
        post("a list", "/v1/jobs", "- 1\n- 2\n", 400),
        post("a number", "/v1/jobs", "12", 400, "12"),
        post("deep YAML", "/v1/jobs", "[".repeat(50_000), 400),
        post("deep YAML, closed", "/v1/jobs", "x: " + "[".repeat(5_000) + "]".repeat(5_000), 400),
        post("deep JSON", "/v1/jobs", "{\"a\":".repeat(50_000), 400),
        post("aliases of aliases", "/v1/jobs", laughs, 400),
        post("a key twice", "/v1/jobs", job + "kind: Job\n", 400, "kind"),
        post("no kind", "/v1/jobs", "apiVersion: sluice.io/v1\n", 400, "kind"),
        post("another kind", "/v1/jobs", job.replace("kind: Job", "kind: Task"), 400, "Task"),
        post("another version", "/v1/jobs", job.replace("io/v1", "io/v9"), 400, "sluice.io/v9"),
        post("two jobs for one", "/v1/jobs", job + "---\n" + job, 400, "/v1/jobs/bulk"),
        post("a queue for a job", "/v1/jobs", COHORTS, 400, "must be Job"),
        post("a queue among jobs", "/v1/jobs/bulk", job + "---\n" + COHORTS, 400, "must be Job"),
        post("too many jobs", "/v1/jobs/bulk", jobs, 400, "1000", "1001"),
        post("a fleet", "/v1/apply", OneServer.FLEET, 400, "Fleet", "--fleet"),
        keyed("/v1/jobs", job, "x".repeat(201), "201"),
        keyed("/v1/jobs/bulk", job, "x".repeat(201), "201"),
        keyed("/v1/apply", job, "x".repeat(201), "201"),
        new BadRequest(
            "no content type",
            "POST",
            "/v1/jobs",
            job,
            List.of("Content-Type", "nonsense"),
            415,
            List.of("nonsense")),
        new BadRequest(
            "an answer as a picture",
            "GET",
            "/v1/jobs",
            "",
            List.of("Accept", "image/png"),
            406,
            List.of("image/png")));
  }

  private static BadRequest keyed(String path, String body, String key, String named) {
    return new BadRequest(
        "key of " + key.length() + " at " + path,
        "POST",
        path,
        body,
        List.of("Idempotency-Key", key),
        400,
        List.of("Idempotency-Key", named));
  }

  private static BadRequest apply(String what, String body, int status, String... names) {
    return post(what, "/v1/apply", body, status, names);
  }

  private static String object(String kind, String metadata, String spec) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: %s
    metadata: {%s}
    spec: %s
    """
        .formatted(kind, metadata, spec);
  }

  private static BadRequest quota(String fields, int status, String... names) {
    String spec =
        "{namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],"
            + " flavors: [{name: cpu, resources: [{name: cpu, %s}]}]}]}".formatted(fields);
    return apply("queue with " + fields, object("ClusterQueue", "name: q", spec), status, names);
  }

  private static Stream<BadRequest> cohorts() {
    return Stream.of(
        apply(
            "a cohort under what is under it",
            object("Cohort", "name: top", "{parentName: middle}"),
            422,
            "spec.parentName",
            "middle",
            "top -> middle -> top"),
        apply(
            "a cohort under itself",
            object("Cohort", "name: own", "{parentName: own}"),
            400,
            "spec.parentName",
            "own"),
        apply(
            "two cohorts under each other",
            object("Cohort", "name: left", "{parentName: right}")
                + "---\n"
                + object("Cohort", "name: right", "{parentName: left}"),
            422,
            "spec.parentName",
            "left -> right -> left"));
  }

  private static Stream<BadRequest> quotas() {
    String flavor =
        "{namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu],"
            + " flavors: [{name: nobody, resources: [{name: cpu, nominalQuota: 1}]}]}]}";
    return Stream.of(
        quota("nominalQuota: -1", 400, "nominalQuota", "-1"),
        quota("nominalQuota: 1e999", 400, "nominalQuota", "999"),
        quota("nominalQuota: 1, borrowingLimit: -1", 400, "borrowingLimit", "-1"),
        quota("nominal: 1", 400, "nominal"),
        apply("no flavor", object("ClusterQueue", "name: q", flavor), 422, "flavors[0]", "nobody"),
        apply(
            "no ClusterQueue",
            object("LocalQueue", "name: q, namespace: team", "{clusterQueue: nobody}"),
            422,
            "spec.clusterQueue",
            "nobody"),
        apply(
            "a LocalQueue that moves",
            object("LocalQueue", "name: main, namespace: team", "{clusterQueue: slices}"),
            422,
            "spec.clusterQueue",
            "slices",
            "cpus"));
  }

  private static Stream<BadRequest> objects() {
    return Stream.of(
        apply(
            "an object twice",
            object("Cohort", "name: left", "{}") + "---\n" + object("Cohort", "name: left", "{}"),
            422,
            "metadata.name",
            "twice"),
        post(
            "a queue that is there",
            "/v1/localqueues",
            object("LocalQueue", "name: main, namespace: team", "{clusterQueue: cpus}"),
            409,
            "LocalQueue",
            "main"),
        post("a cohort as a flavor", "/v1/resourceflavors", COHORTS, 400, "ResourceFlavor"),
        new BadRequest(
            "another name than the path's",
            "PUT",
            "/v1/cohorts/other",
            object("Cohort", "name: top", "{}"),
            List.of(),
            400,
            List.of("metadata.name", "other")),
        new BadRequest(
            "a change of nothing",
            "PUT",
            "/v1/cohorts/nobody",
            object("Cohort", "name: nobody", "{}"),
            List.of(),
            404,
            List.of("nobody")),
        new BadRequest(
            "a deletion of nothing",
            "DELETE",
            "/v1/cohorts/nobody",
            "",
            List.of(),
            404,
            List.of("nobody")));
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
        get("/v1/jobs?cursor=%21%21", 400, "cursor", "!!"),
        get("/v1/jobs?cursor=" + cursor("x"), 400, "cursor"),
        get("/v1/jobs?cursor=" + cursor("2026-01-01T00:00:00Z x"), 400, "cursor"),
        get("/v1/jobs?cursor=" + cursor("+999999999-12-31T00:00:00Z " + UNKNOWN_ID), 400, "cursor"),
        get("/v1/jobs?state=flying", 400, "state", "flying", "PENDING"),
        get("/v1/jobs?label=novalue", 400, "label", "novalue"),
        get("/v1/jobs?label=a%3D%00", 400, "label"),
        get("/v1/jobs?namespace=a%00b", 400, "namespace"),
        get("/v1/jobs?queue=%00", 400, "queue"),
        get("/v1/jobs?name=%00", 400, "name"),
        get("/v1/jobs?clusterQueue=%00", 400, "clusterQueue"),
        get("/v1/jobs/not-an-id", 400, "not-an-id"),
        get("/v1/jobs/" + UNKNOWN_ID, 404, UNKNOWN_ID),
        get("/v1/jobs/" + UNKNOWN_ID + "/events", 404, UNKNOWN_ID),
        get("/v1/jobs/" + UNKNOWN_ID + "/attempts", 404, UNKNOWN_ID),
        get("/v1/jobs/" + UNKNOWN_ID + "/explanation", 404, UNKNOWN_ID),
        get("/v1/jobs/" + UNKNOWN_ID + "/logs", 404, UNKNOWN_ID),
        get("/v1/jobs/" + UNKNOWN_ID + "/events?cursor=" + cursor("x/y"), 400, "cursor"),
        get("/v1/jobs/" + UNKNOWN_ID + "/logs?index=first", 400, "index", "first"),
        get("/v1/jobs/" + UNKNOWN_ID + "/logs?attempt=last", 400, "attempt", "last"),
        get("/v1/jobs/" + UNKNOWN_ID + "/logs?tail=-1", 400, "tail", "-1"),
        get("/v1/jobs/" + UNKNOWN_ID + "/logs?follow=maybe", 400, "follow", "maybe"),
        get("/v1/clusterqueues?cursor=" + cursor("x"), 400, "cursor"),
        get("/v1/clusterqueues?cursor=" + cursor("\0/\0"), 400, "cursor"),
        get("/v1/clusterqueues/a%00b", 404, "ClusterQueue"),
        get("/v1/clusterqueues/nobody", 404, "nobody"),
        get("/v1/localqueues/main", 404, "/{namespace}/{name}"),
        get("/v1/clusterqueues/team/main", 404, "/v1/clusterqueues/{name}"),
        get("/v1/fleet/allocations?limit=-1", 400, "limit", "-1"),
        post("a cancel of nothing", "/v1/jobs/" + UNKNOWN_ID + "/cancel", "", 404, UNKNOWN_ID),
        post("a cancel of no id", "/v1/jobs/x/cancel", "", 400, "x"));
  }

  /** Returns one invalid value per kind of parameter; none is answered as an unknown path. */
  private static Stream<BadRequest> parameters() {
    String job = "/v1/jobs/" + UNKNOWN_ID;
    return Stream.of(
        get("/v1/jobs?limit=x", 400, "limit must be a whole number between 1 and 500, it is x"),
        get("/v1/jobs?held=perhaps", 400, "held must be true or false, it is perhaps"),
        get(job + "/attempts?index=-1", 400, "index", "between 0 and 2147483647", "-1"),
        post("a hold that does neither", job + "/hold?running=stop", "", 400, "evict, leave"),
        post("a lost attempt 0", job + "/confirm-lost?attempt=0", "", 400, "attempt must be", "0"),
        post("a lost attempt", job + "/confirm-lost?index=1", "", 400, "attempt is missing"),
        get("/v1/names/job?name=a&purpose=look", 400, "purpose", "read, change", "look"),
        get("/v1/audit?caller=a%00b", 400, "caller must not hold NUL"),
        get("/v1/journal/0/recheck", 400, "sequence of a batch", "from 1 on"),
        get("/v1/journal/1/recheck?batches=0", 400, "batches must be a whole number", "0"),
        get("/v1/runs/not-an-id", 400, "not-an-id is no id of a run"),
        get("/v1/runs?cursor=x", 400, "x is no id of a run"),
        get("/v1/backfills/not-an-id", 400, "not-an-id is no id of a backfill"),
        get("/v1/pipelines/Team/train", 400, "namespace", "Team"),
        get("/v1/schedules/team/train/night?upcoming=1001", 400, "upcoming", "1000", "1001"),
        get("/v1/schedules/upcoming?within=soon", 400, "within", "soon"),
        get("/v1/schedules/upcoming?within=200h", 400, "within must be at most 168h, it is 200h"),
        get(PENDING + "?offset=-1", 400, "offset", "-1"),
        post("a notice", "/v1/fleet/slices/a/reclaim?notice=soon", "", 400, "notice", "soon"));
  }

  private static BadRequest method(String method, String path) {
    return new BadRequest(
        method + " " + path, method, path, "", List.of(), 405, List.of(method, path));
  }

  /** Returns unknown fields and parameters, which must be refused, not ignored. */
  private static Stream<BadRequest> ignored() {
    String spot = "/v1/fleet/capacity/spot";
    return Stream.of(
        get("/v1/jobs?limitt=3", 400, "limitt", "GET /v1/jobs", "limit", "namespace"),
        get("/v1/jobs?limit=3&limit=4", 400, "limit", "2 times"),
        get("/v1/jobs/" + UNKNOWN_ID + "?wide=true", 400, "wide", "it has none"),
        get("/v1/jobs?label=a%3Dx,b", 400, "label", "a=x,b"),
        get("/v1/jobs?label=a%3Dx,a%3Dy", 400, "label", "a", "x and y"),
        get("/v1/jobs?label=a%3Dx&label=a%3Dy", 400, "label", "x and y"),
        get("/v1/jobs?label=a%3D-", 400, "label", "a=-"),
        get("/v1/pipelines?state=RUNNING", 400, "state", "namespace"),
        get("/v1/fleet/allocations?slice=a", 400, "slice", "cursor"),
        get("/v1/hosts?limit=501", 400, "limit", "501", "500"),
        get(PENDING + "?limit=10001", 400, "limit", "10001", "10000"),
        get(PENDING + "?start=3", 400, "start", "offset"),
        post("a name for no parameter", "/v1/apply?dryrun=true", COHORTS, 400, "dryrun", "dryRun"),
        post(
            "a body that nobody reads", "/v1/jobs/" + UNKNOWN_ID + "/cancel", "{}", 400, "no body"),
        new BadRequest(
            "capacity in a body",
            "PUT",
            spot,
            "{\"outOfStock\": true}",
            List.of(),
            400,
            List.of("PUT " + spot, "no body", "outOfStock", "grantAfter")),
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
        get("/", 404, "/"),
        get("/nothing", 404, "/nothing"),
        get("/v1", 404, "/v1"),
        get("/v1/nothing", 404, "/v1/nothing"),
        get("/v1/jobs/" + UNKNOWN_ID + "/nothing", 404, "/nothing"),
        post("posting to no path", "/v1/clusterqueue", "", 404, "/v1/clusterqueue"),
        method("DELETE", "/v1/jobs"),
        method("PUT", "/v1/jobs"),
        method("PATCH", "/v1/clusterqueues/top"),
        method("POST", "/v1/fleet"),
        method("DELETE", "/v1/server"),
        method("GET", "/v1/apply"),
        method("GET", "/v1/jobs/" + UNKNOWN_ID + "/cancel"));
  }
}
