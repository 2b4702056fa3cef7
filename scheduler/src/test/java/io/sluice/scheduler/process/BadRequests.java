// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Invalid requests, each with one fault: bodies here, the others in {@link BadQueries}. */
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

  /**
   * A request and the expected answer.
   *
   * @param code the code of the problem; empty: any
   * @param names words in the answer, such as field and value
   */
  record BadRequest(
      String what,
      String method,
      String path,
      String body,
      List<String> headers,
      int status,
      String code,
      List<String> names) {
    BadRequest(
        String what,
        String method,
        String path,
        String body,
        List<String> headers,
        int status,
        List<String> names) {
      this(what, method, path, body, headers, status, "", names);
    }

    /** Returns this request with the code of its problem. */
    BadRequest of(String problem) {
      return new BadRequest(what, method, path, body, headers, status, problem, names);
    }

    @Override
    public String toString() {
      return what;
    }
  }

  private BadRequests() {}

  /** Returns the code of a manifest that is wrong by itself, or beside what is stored. */
  private static String manifestCode(int status) {
    return status == 400 ? "invalid-manifest" : "refused";
  }

  static Stream<BadRequest> all() {
    return Stream.of(
            jobFields(),
            jobReferences(),
            documents(),
            cohorts(),
            quotas(),
            objects(),
            BadQueries.all())
        .flatMap(requests -> requests);
  }

  static BadRequest post(String what, String path, String body, int status, String... names) {
    return new BadRequest(what, "POST", path, body, List.of(), status, List.of(names));
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
    return post("job with " + line, "/v1/jobs", body, status, names).of(manifestCode(status));
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
    return post("job on " + accelerator, "/v1/jobs", body, status, names).of(manifestCode(status));
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
    return post("job named " + name, "/v1/jobs", body, 400, names).of("invalid-manifest");
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
                List.of("nonsense"))
            .of("unsupported-media-type"),
        new BadRequest(
                "an answer as a picture",
                "GET",
                "/v1/jobs",
                "",
                List.of("Accept", "image/png"),
                406,
                List.of("image/png"))
            .of("not-acceptable"));
  }

  private static BadRequest keyed(String path, String body, String key, String named) {
    return new BadRequest(
            "key of " + key.length() + " at " + path,
            "POST",
            path,
            body,
            List.of("Idempotency-Key", key),
            400,
            List.of("Idempotency-Key", named))
        .of("bad-request");
  }

  private static BadRequest apply(String what, String body, int status, String... names) {
    return post(what, "/v1/apply", body, status, names).of(manifestCode(status));
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
                "main")
            .of("already-exists"),
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
}
