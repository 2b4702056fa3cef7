// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.process.Caller.Reply;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What each role may do with jobs of its own namespace, {@code team}, and with those of another.
 * Everything in a namespace has a name that begins with it, so that an answer tells of the other
 * namespace if the text is in it. With {@code -Dreference.write}, the page of rights is written.
 */
class AccessIT {
  private static final Path PAGE = Path.of("..", "docs", "reference", "access.md");
  private static final String OWN = "team";
  private static final String FOREIGN = "other";
  private static final String ADMIN = "admin";
  private static final List<String> ROLES =
      List.of("viewer", "submitter", "operator", "team-administrator", "auditor", ADMIN);
  private static final List<String> CONFINED =
      List.of("viewer", "submitter", "operator", "team-administrator");

  /** Gives the role that no token has. */
  private static final String TEAM =
      """
      apiVersion: sluice.io/v1
      kind: Team
      metadata: {name: team}
      spec:
        namespaces: [team]
        clusterQueue: cpus
        members: [{user: a-team-administrator, role: administrator}]
      """;

  private static final String OTHER_QUEUES =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: chips, namespace: other}
      spec: {clusterQueue: slices}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: other}
      spec: {clusterQueue: cpus}
      """;
  private static final String DONE =
      """
      apiVersion: sluice.io/v1
      kind: Job
      metadata: {name: NS-done, namespace: NS}
      spec:
        queue: main
        requests: {cpu: 1}
        env: {PASSWORD: value-of-NS-}
        command: [echo, output-of-NS-]
      """;
  private static final String ON_SLICES =
      """
      apiVersion: sluice.io/v1
      kind: Job
      metadata: {name: NS-%s, namespace: NS}
      spec:
        queue: chips
        accelerator: {type: v6e, topology: 4x4, slices: %d}
        gracePeriod: 1s
        timeLimit: 1h
        command: [sleep, "600"]
      """;

  private static final Map<String, Map<String, String>> IDS = new TreeMap<>();
  private static OneServer server;
  private static Caller admin;

  @BeforeAll
  static void start() throws Exception {
    StringBuilder tokens = new StringBuilder();
    for (String role : ROLES) {
      boolean ofTeam = role.equals("team-administrator");
      String namespaces = CONFINED.contains(role) && !ofTeam ? OWN : "-";
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(OneServer.token(role).getBytes(StandardCharsets.US_ASCII));
      tokens.append(
          "a-%s %s %s - sha256:%s%n"
              .formatted(
                  role, ofTeam ? "viewer" : role, namespaces, HexFormat.of().formatHex(digest)));
    }
    server = OneServer.start(tokens.toString());
    admin = server.caller();
    admin.post("/v1/apply", OTHER_QUEUES + "---\n" + TEAM).is(200);
    admin
        .as(OneServer.token("team-administrator"))
        .await("/v1/jobs?namespace=" + OWN, reply -> reply.status() == 200);
    // The other namespace comes first, and takes both slices.
    String holder = admin.submit(of(FOREIGN, ON_SLICES.formatted("runs", 2)));
    admin.awaitState(holder, "RUNNING");
    for (String namespace : List.of(FOREIGN, OWN)) {
      IDS.put(namespace, create(namespace));
    }
  }

  private static String of(String namespace, String text) {
    return text.replace(AccessRequests.NAMESPACE, namespace);
  }

  /** Creates one of everything in a namespace; returns the ids. */
  private static Map<String, String> create(String namespace) throws Exception {
    Map<String, String> ids = new TreeMap<>();
    ids.put("waiting", admin.submit(of(namespace, ON_SLICES.formatted("waits", 1))));
    ids.put("done", admin.submit(of(namespace, DONE)));
    admin.awaitState(ids.get("done"), "SUCCEEDED");
    admin.post("/v1/pipelines", of(namespace, AccessRequests.PIPELINE)).is(201);
    String nightly = namespace + "/" + namespace + "-nightly";
    ids.put("run", admin.post("/v1/pipelines/" + nightly + "/runs", "{}").is(201).at("/id"));
    String schedule = "/v1/schedules/" + nightly + "/" + namespace + "-yearly";
    String period = "{\"from\":\"2025-01-01T00:00:00Z\",\"to\":\"2025-02-01T00:00:00Z\"}";
    ids.put("backfill", admin.post(schedule + "/backfills", period).is(201).at("/id"));
    admin.await("/v1/runs/" + ids.get("run"), reply -> reply.at("/state").equals("SUCCEEDED"));
    return ids;
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  private static Map<String, String> ids(String namespace) {
    return Objects.requireNonNull(IDS.get(namespace));
  }

  private record Operation(String id, String verb) {}

  private static List<Operation> operations() throws Exception {
    List<Operation> operations = new ArrayList<>();
    JsonNode document = admin.get("/openapi?format=json").is(200).json();
    for (JsonNode path : document.path("paths")) {
      path.properties()
          .forEach(
              verb ->
                  operations.add(
                      new Operation(
                          verb.getValue().path("operationId").asText(),
                          verb.getKey().toUpperCase(Locale.ROOT))));
    }
    return operations;
  }

  private static Reply ask(
      String role, Operation operation, AccessRequests.Request request, String namespace)
      throws Exception {
    String path = of(namespace, request.path());
    for (Map.Entry<String, String> id : ids(namespace).entrySet()) {
      path = path.replace("{" + id.getKey() + "}", id.getValue());
    }
    BodyPublisher body =
        request.body() == null
            ? BodyPublishers.noBody()
            : BodyPublishers.ofString(of(namespace, request.body()));
    Caller caller = role.isEmpty() ? admin.as("") : admin.as(OneServer.token(role));
    return caller.ask(operation.verb(), path, body);
  }

  /** Returns what an answer says of the caller's rights. */
  private static String verdict(Reply reply, boolean namespaced) {
    assertThat(reply.status()).as(reply.text()).isLessThan(500);
    return switch (reply.status()) {
      case 401 -> "token needed";
      case 403 -> "no";
      case 404 -> namespaced ? "not found" : "yes";
      default -> "yes";
    };
  }

  private static boolean tellsOfOthers(Reply reply) {
    return reply.text().contains(FOREIGN + "-");
  }

  @Test
  void thePageOfRightsIsCurrent() throws Exception {
    AccessRequests requests = new AccessRequests();
    StringBuilder table = new StringBuilder();
    for (Operation operation : operations()) {
      AccessRequests.Request request = requests.of(operation.id());
      List<String> cells = new ArrayList<>();
      for (String role : ROLES) {
        cells.add(cell(role, operation, request));
      }
      table.append("| `%s` | %s |%n".formatted(operation.id(), String.join(" | ", cells)));
    }
    String page = PAGE_TOP + table;
    if (System.getProperty("reference.write") != null) {
      Files.writeString(PAGE, page);
    }
    assertThat(page)
        .as("to write it anew: as docs/openapi.yaml, with -Dit.test=AccessIT")
        .isEqualTo(Files.readString(PAGE));
  }

  private static String cell(String role, Operation operation, AccessRequests.Request request)
      throws Exception {
    Reply own = ask(role, operation, request, OWN);
    boolean namespaced = request.namespaced();
    String verdict = verdict(own, namespaced);
    if (CONFINED.contains(role)) {
      assertThat(tellsOfOthers(own)).as("%s as %s: %s", operation, role, own.text()).isFalse();
    }
    if (role.equals(ADMIN)) {
      assertThat(own.status() == 400)
          .as("%s is refused as malformed: %s", operation, own.text())
          .isEqualTo(request.malformed());
    }
    if (!namespaced) {
      return verdict;
    }
    Reply foreign = ask(role, operation, request, FOREIGN);
    if (CONFINED.contains(role) && foreign.status() < 400) {
      assertThat(tellsOfOthers(foreign))
          .as("%s as %s: %s", operation, role, foreign.text())
          .isFalse();
    }
    String elsewhere = verdict(foreign, true);
    return verdict.equals(elsewhere) ? verdict : verdict + "; elsewhere " + elsewhere;
  }

  @Test
  void withoutATokenNothingIsAnsweredButProblemsAndTheWayToSignIn() throws Exception {
    AccessRequests requests = new AccessRequests();
    List<String> open = new ArrayList<>();
    for (Operation operation : operations()) {
      if (ask("", operation, requests.of(operation.id()), OWN).status() != 401) {
        open.add(operation.id());
      }
    }
    assertThat(open).containsExactly("getProblem", "getSignIn");
  }

  @Test
  void listsWithoutANamespaceAreConfined() throws Exception {
    for (String path :
        List.of(
            "/v1/jobs",
            "/v1/jobs/counts?by=namespace,queue,team",
            "/v1/jobs/counts?by=namespace,blocker",
            "/v1/pipelines",
            "/v1/runs",
            "/v1/schedules",
            "/v1/schedules/upcoming?within=168h",
            "/v1/backfills",
            "/v1/events?after=0&limit=500",
            "/v1/plan?until=2999-01-01T00:00:00Z",
            "/v1/names/job?name=team-done")) {
      assertThat(admin.get(path).is(200).text()).as(path).contains(OWN);
      for (String role : CONFINED) {
        Reply reply = admin.as(OneServer.token(role)).get(path).is(200);
        assertThat(reply.text()).as(path).doesNotContain(FOREIGN + "-");
      }
    }
    Caller viewer = admin.as(OneServer.token("viewer"));
    assertThat(viewer.get("/v1/names/job?name=other-done").is(404).at("/detail")).contains(OWN);
    viewer.get("/v1/names/job?name=" + ids(FOREIGN).get("done")).is(404);
  }

  @Test
  void jobsOfOthersInTheWayAreCountedByQueue() throws Exception {
    String path = "/v1/jobs/" + ids(OWN).get("waiting") + "/explanation";
    JsonNode seen = admin.as(OneServer.token("viewer")).get(path).is(200).json();
    assertThat(seen.at("/inTheWay/count").asInt()).isEqualTo(1);
    assertThat(seen.at("/inTheWay/first")).isEmpty();
    assertThat(seen.at("/othersInTheWay/0/clusterQueue").asText()).isEqualTo("slices");
    assertThat(seen.at("/othersInTheWay/0/attempts").asInt()).isEqualTo(1);
    assertThat(seen.at("/othersInTheWay/0/latestEnd").asText()).isNotEmpty();
    assertThat(seen.at("/reason").asText()).contains("held by 1 attempt of ClusterQueue slices");
    JsonNode all = admin.get(path).is(200).json();
    assertThat(all.at("/inTheWay/first/0/name").asText()).isEqualTo("other-runs");
    assertThat(all.has("othersInTheWay")).isFalse();
  }

  @Test
  void aHolderOfAnotherNamespaceHasNoName() throws Exception {
    JsonNode seen = admin.as(OneServer.token("viewer")).get("/v1/slices/v6e-0").is(200).json();
    assertThat(seen.at("/heldBy/clusterQueue").asText()).isEqualTo("slices");
    assertThat(seen.at("/heldBy").has("job")).isFalse();
    assertThat(seen.at("/heldBy").has("name")).isFalse();
    assertThat(admin.get("/v1/slices/v6e-0").at("/heldBy/name")).isEqualTo("other-runs");
  }

  @Test
  void anAllocationOfAnotherNamespaceDoesNotTellWhoseItIs() throws Exception {
    String path = "/v1/fleet/allocations?overlapping=true&since=2199-01-01T00:00:00Z";
    JsonNode whole = admin.get(path).is(200).json().at("/items/0");
    assertThat(whole.path("name").asText()).isEqualTo("other-runs");
    assertThat(whole.path("namespace").asText()).isEqualTo(FOREIGN);
    assertThat(whole.path("team").asText()).isEqualTo(FOREIGN);
    assertThat(whole.path("submittedBy").asText()).isNotEmpty();
    for (String role : CONFINED) {
      JsonNode seen = admin.as(OneServer.token(role)).get(path).is(200).json();
      assertThat(seen.path("items")).as(role).hasSize(2);
      for (JsonNode one : seen.path("items")) {
        assertThat(one.fieldNames())
            .toIterable()
            .as(role)
            .containsExactlyInAnyOrder(
                "slice", "type", "topology", "chips", "clusterQueue", "from");
      }
    }
  }

  @Test
  void callersWithOtherRightsDoNotShareAnswers() throws Exception {
    String[] shares = {"Sluice-Seen", "0"};
    for (String path : List.of("/v1/jobs?limit=500", "/v1/fleet", "/v1/fleet/map")) {
      assertThat(admin.get(path, shares).is(200).text()).contains(FOREIGN + "-runs");
      for (String role : CONFINED) {
        Reply seen = admin.as(OneServer.token(role)).get(path, shares).is(200);
        assertThat(seen.text()).as(path).doesNotContain(FOREIGN + "-");
      }
      assertThat(admin.get(path, shares).is(200).text()).contains(FOREIGN + "-runs");
      admin.as("unknown").get(path, shares).is(401);
    }
  }

  @Test
  void environmentsAreReadByThoseWhoMaySubmit() throws Exception {
    String job = "/v1/jobs/" + ids(OWN).get("done");
    String pipeline = "/v1/pipelines/team/team-nightly";
    for (String path : List.of(job, pipeline)) {
      for (String role : List.of("viewer", "operator", "auditor")) {
        Reply masked = admin.as(OneServer.token(role)).get(path).is(200);
        assertThat(masked.text()).contains("PASSWORD", "***").doesNotContain("value-of-");
      }
      for (String role : List.of("submitter", "team-administrator")) {
        Reply clear = admin.as(OneServer.token(role)).get(path).is(200);
        assertThat(clear.text()).contains("value-of-team-");
      }
    }
    for (String list : List.of("/v1/jobs", "/v1/pipelines")) {
      assertThat(admin.get(list).is(200).text()).contains("***").doesNotContain("value-of-");
    }
  }

  @Test
  void metricsOfAllNamespacesAreForThoseWhoReadAllNamespaces() throws Exception {
    for (String role : ROLES) {
      int status = admin.as(OneServer.token(role)).get("/q/metrics").status();
      assertThat(status).as(role).isEqualTo(CONFINED.contains(role) ? 403 : 200);
    }
  }

  private static final String PAGE_TOP =
      """
      # Rights

      For administrators who give roles to callers, and for authors of clients. This page says which role may use which
      operation of [the REST interface](rest.md). A test asks a server each of these requests and writes the page.

      A role is given for some namespaces, or for all. An *auditor* and an *administrator* (`admin`) have all.

      | role | may |
      |---|---|
      | `viewer` | read jobs, pipelines and runs of its namespaces |
      | `submitter` | the same; submit jobs and change pipelines there, operate on all jobs there; read their environment variables |
      | `operator` | as a viewer; hold, release, cancel and prioritize jobs there; with all namespaces, drain and return hosts and slices |
      | `team-administrator` | as a submitter, in the namespaces of its [team](manifests/teams.md); [divide the quota](../how-to/administer-team-quota.md) of the team |
      | `auditor` | read all namespaces, the audit log and the journal |
      | `admin` | everything |

      All callers read quota objects and the fleet. Where these tell of a job that the caller may not read, they lack its
      id, name and namespace. Lists contain what the caller may read, and no more.

      In the table, *elsewhere* is a namespace that is not the caller's. *not found* is the answer to an id that the caller
      may not know: it is the same whether there is such an object or not.

      | operation | viewer | submitter | operator | team-administrator | auditor | admin |
      |---|---|---|---|---|---|---|
      """;
}
