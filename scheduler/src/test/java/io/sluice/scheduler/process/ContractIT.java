// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The OpenAPI document is current, and answers are as it says. With {@code -Dexamples.write}, the
 * answers become the examples of the next build; with {@code -Dreference.write}, the document of
 * this build is written.
 */
class ContractIT {
  private static final Path DOCUMENT = Path.of("..", "docs", "openapi.yaml");
  private static final Path EXAMPLES =
      Path.of("src/main/resources/io/sluice/scheduler/api/contract/examples.json");
  private static final String PIPELINE =
      """
      apiVersion: sluice.io/v1
      kind: Pipeline
      metadata: {name: nightly, namespace: team}
      spec:
        parameters: [{name: steps, default: 5}]
        schedules: [{name: night, cron: "30 1 * * *", timeZone: Europe/Berlin, paused: true}]
        steps:
        - name: ingest
          job: {spec: {queue: main, requests: {cpu: 1}, command: ["true"]}}
        - name: train
          dependsOn: [ingest]
          job: {spec: {queue: main, requests: {cpu: 1}, command: [sh, -c, "exit 3"]}}
      """;
  private static final String FLAVOR =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: %s}
      """;

  private static OneServer server;
  private static Caller caller;
  private static Contract contract;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
    caller = server.caller();
    contract = Contract.of(caller);
  }

  @AfterAll
  static void end() throws Exception {
    if (System.getProperty("examples.write") != null) {
      Files.writeString(EXAMPLES, contract.answers());
    }
    server.close();
  }

  private static Reply get(String operation, String path) throws Exception {
    return contract.check(operation, caller.get(path).is(200));
  }

  private static Reply post(String operation, String path, String body, int status)
      throws Exception {
    return contract.check(operation, caller.post(path, body).is(status));
  }

  @Test
  void theCommittedDocumentIsCurrent() throws Exception {
    String current = caller.as("").get("/openapi").is(200).text();
    if (System.getProperty("reference.write") != null) {
      Files.writeString(DOCUMENT, current);
    }
    assertThat(current)
        .as(
            "to write it anew: ./mvnw -pl scheduler -am verify -Dit.test=ContractIT"
                + " -Dtest=NoSuchTest -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dfailsafe.failIfNoSpecifiedTests=false -Dreference.write")
        .isEqualTo(Files.readString(DOCUMENT));
  }

  @Test
  void thePageForPeopleRunsNoScriptButItsOwn() throws Exception {
    Reply page = caller.as("").get("/api/").is(200);
    String policy = page.header("Content-Security-Policy");
    assertThat(policy).contains("default-src 'none'", "connect-src 'self'").doesNotContain("http");
    Pattern inline = Pattern.compile("<script(?: defer)?>(.*?)</script>", Pattern.DOTALL);
    for (MatchResult script : inline.matcher(page.text()).results().toList()) {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(script.group(1).getBytes(StandardCharsets.UTF_8));
      assertThat(policy).contains("'sha256-" + Base64.getEncoder().encodeToString(digest) + "'");
    }
    Pattern source = Pattern.compile("src=\"([^\"]+)\"");
    for (MatchResult script : source.matcher(page.text()).results().toList()) {
      caller.as("").get("/api/" + script.group(1).replaceFirst("^\\./|^/api/", "")).is(200);
    }
  }

  @Test
  void jobs() throws Exception {
    Reply submitted = post("submitJob", "/v1/jobs", job("first", 1, "sleep 300"), 201);
    String id = submitted.at("/id");
    caller.awaitState(id, "RUNNING");
    String key = "contract-1";
    String again = job("second", 8, "true");
    caller.post("/v1/jobs", again, "Idempotency-Key", key).is(201);
    contract.check("submitJob", caller.post("/v1/jobs", again, "Idempotency-Key", key).is(200));
    post("submitJob", "/v1/jobs?dryRun=true", again, 200);
    post("submitJobs", "/v1/jobs/bulk", again + "---\n" + job("third", 1, "true"), 201);
    post("submitJobs", "/v1/jobs/bulk?dryRun=true", again, 200);
    get("listJobs", "/v1/jobs?limit=2&order=oldest");
    get("listJobs", "/v1/jobs?blocker=QUOTA_IN_USE");
    get("getJob", "/v1/jobs/" + id);
    get("countJobs", "/v1/jobs/counts?by=state,team");
    get("countJobs", "/v1/jobs/counts?by=blocker,queue,computeClass,label:model");
    get("listJobEvents", "/v1/jobs/" + id + "/events");
    get("explainJob", "/v1/jobs/" + id + "/explanation");
    get("listAttempts", "/v1/jobs/" + id + "/attempts");
    get("readLogs", "/v1/jobs/" + id + "/logs");
    get("watchEvents", "/v1/events?after=0&limit=2");
    get("resolveName", "/v1/names/job?name=first");
    String report = "{\"attempt\":1,\"generation\":1,\"text\":\"step-100\"}";
    post("reportCheckpoint", "/v1/jobs/" + id + "/checkpoint", report, 202);
    String waiting = caller.submit(job("waiting", 4, "true"));
    post("prioritizeJob", "/v1/jobs/" + waiting + "/prioritize?class=high", "", 202);
    post("limitJob", "/v1/jobs/" + waiting + "/limit?timeLimit=1h", "", 202);
    post("holdJob", "/v1/jobs/" + id + "/hold?running=leave", "", 202);
    post("releaseJob", "/v1/jobs/" + id + "/release", "", 202);
    post("cancelJob", "/v1/jobs/" + id + "/cancel", "", 202);
    contract.check("confirmLost", caller.post("/v1/jobs/" + id + "/confirm-lost?attempt=9", ""));
  }

  @Test
  void pipelines() throws Exception {
    post("savePipeline", "/v1/pipelines", PIPELINE, 201);
    post("savePipeline", "/v1/pipelines", PIPELINE, 200);
    get("listPipelines", "/v1/pipelines");
    get("getPipeline", "/v1/pipelines/team/nightly");
    String run = post("startRun", "/v1/pipelines/team/nightly/runs", "{}", 201).at("/id");
    caller.await("/v1/runs/" + run, reply -> reply.at("/state").equals("FAILED"));
    get("listRuns", "/v1/runs");
    get("getRun", "/v1/runs/" + run);
    post("resumeRun", "/v1/runs/" + run + "/resume", "", 200);
    caller.await("/v1/runs/" + run, reply -> reply.at("/state").equals("FAILED"));
    post("rerunStep", "/v1/runs/" + run + "/steps/train/rerun", "", 200);
    post("cancelRun", "/v1/runs/" + run + "/cancel", "", 200);
    String schedule = "/v1/schedules/team/nightly/night";
    get("listSchedules", "/v1/schedules");
    get("getSchedule", schedule);
    post("resumeSchedule", schedule + "/resume", "", 200);
    get("listUpcomingRuns", "/v1/schedules/upcoming?within=48h");
    post("pauseSchedule", schedule + "/pause", "", 200);
    String period = "{\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-01-03T00:00:00Z\"}";
    String backfill = post("startBackfill", schedule + "/backfills", period, 201).at("/id");
    get("listBackfills", "/v1/backfills");
    get("getBackfill", "/v1/backfills/" + backfill);
    post("cancelBackfill", "/v1/backfills/" + backfill + "/cancel", "", 200);
    String one = "/v1/pipelines/team/nightly";
    contract.check("deletePipeline", caller.delete(one + "?dryRun=true").is(200));
    contract.check("deletePipeline", caller.delete(one).is(204));
  }

  @Test
  void quota() throws Exception {
    post("apply", "/v1/apply", OneServer.QUOTA, 200);
    post("createQuotaObject", "/v1/resourceflavors", FLAVOR.formatted("spare"), 201);
    post("createQuotaObject", "/v1/resourceflavors?dryRun=true", FLAVOR.formatted("other"), 200);
    get("listQuotaObjects", "/v1/clusterqueues");
    get("getQuotaObject", "/v1/clusterqueues/cpus");
    get("getNamespacedQuotaObject", "/v1/localqueues/team/main");
    String path = "/v1/resourceflavors/spare";
    contract.check("updateQuotaObject", caller.put(path, FLAVOR.formatted("spare")).is(200));
    contract.check("deleteQuotaObject", caller.delete(path + "?dryRun=true").is(200));
    contract.check("deleteQuotaObject", caller.delete(path).is(204));
    String queue =
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: other, namespace: team}
        spec: {clusterQueue: cpus}
        """;
    String place = "/v1/localqueues/team/other";
    caller.post("/v1/localqueues", queue).is(201);
    contract.check("updateNamespacedQuotaObject", caller.put(place, queue).is(200));
    contract.check("deleteNamespacedQuotaObject", caller.delete(place + "?dryRun=true").is(200));
    contract.check("deleteNamespacedQuotaObject", caller.delete(place).is(204));
    String visibility = "/apis/visibility.kueue.x-k8s.io/v1beta2/";
    String pending = "/pendingworkloads";
    get("listPendingOfClusterQueue", visibility + "clusterqueues/cpus" + pending);
    get("listPendingOfLocalQueue", visibility + "namespaces/team/localqueues/main" + pending);
    get("exportKueue", "/v1/kueue/export");
  }

  @Test
  void fleetAndServer() throws Exception {
    get("getFleet", "/v1/fleet");
    get("getFleetMap", "/v1/fleet/map");
    get("listAllocations", "/v1/fleet/allocations");
    get("listEndedAttempts", "/v1/attempts");
    get("listSlices", "/v1/slices");
    String slice = caller.get("/v1/slices").at("/items/0/name");
    get("getSlice", "/v1/slices/" + slice);
    get("listSliceHistory", "/v1/slices/" + slice + "/history");
    get("listHosts", "/v1/hosts");
    get("listPlan", "/v1/plan");
    get("listAccuracy", "/v1/accuracy");
    post("simulate", "/v1/simulate?horizon=24h", job("simulated", 1, "true"), 200);
    String host = caller.get("/v1/hosts").at("/items/0/name");
    get("getHost", "/v1/fleet/hosts/" + host);
    post("failHost", "/v1/fleet/hosts/" + host + "/fail", "", 202);
    post("returnHost", "/v1/fleet/hosts/" + host + "/return", "", 202);
    post("reclaimSlice", "/v1/fleet/slices/" + slice + "/reclaim", "", 202);
    post("returnSlice", "/v1/fleet/slices/" + slice + "/return", "", 202);
    get("getCapacity", "/v1/fleet/capacity/spot");
    contract.check(
        "setCapacity", caller.put("/v1/fleet/capacity/spot?outOfStock=true", "").is(200));
    get("getServer", "/v1/server");
    get("listAudit", "/v1/audit?limit=3");
    get("getJournal", "/v1/journal");
    contract.check("recheckBatches", caller.get("/v1/journal/1/recheck").is(200));
    contract.check("getProblem", caller.as("").get("/problems/in-use").is(200));
  }

  @Test
  void tokens() throws Exception {
    String wanted = "{\"name\":\"alice\",\"role\":\"submitter\",\"namespaces\":[\"team\"]}";
    post("createToken", "/v1/tokens", wanted, 201);
    get("getToken", "/v1/tokens/alice");
    get("listTokens", "/v1/tokens");
    post("rotateToken", "/v1/tokens/alice/rotate?grace=1h", "", 200);
    contract.check("revokeToken", caller.delete("/v1/tokens/alice").is(204));
    contract.check("getToken", caller.get("/v1/tokens/alice").is(404));
  }

  @Test
  void sessions() throws Exception {
    get("getIdentity", "/v1/whoami");
    get("checkPermission", "/v1/permission?verb=submit&kind=jobs&namespace=team");
    contract.check("getSignIn", caller.as("").get("/v1/sign-in").is(200));
    String cookie = post("beginSession", "/session", "", 201).header("Set-Cookie");
    get("listSessions", "/v1/sessions");
    String[] ofPage = {"Cookie", cookie.replaceFirst(";.*", ""), "Sec-Fetch-Site", "same-origin"};
    Caller browser = caller.as("");
    contract.check("getIdentity", browser.get("/v1/whoami", ofPage).is(200));
    contract.check("endSession", browser.delete("/session", ofPage).is(204));
    String second = post("beginSession", "/session", "", 201).at("/id");
    contract.check("revokeSession", caller.delete("/v1/sessions/" + second).is(204));
    contract.check("revokeSession", caller.delete("/v1/sessions/" + second).is(404));
  }

  @Test
  void refusals() throws Exception {
    contract.check("submitJob", caller.post("/v1/jobs", "no: manifest").is(400));
    contract.check("submitJob", caller.as("").post("/v1/jobs", job("j", 1, "true")).is(401));
    contract.check(
        "submitJob", caller.post("/v1/jobs", job("j", 1, "true").replace("main", "other")).is(422));
    contract.check("listJobs", caller.get("/v1/jobs?limit=0").is(400));
    contract.check("getJob", caller.get("/v1/jobs/01a1fe82-ec8c-7558-9519-fea5e4e9343b").is(404));
    contract.check("watchEvents", caller.get("/v1/events?after=999999999").is(410));
    contract.check("getServer", caller.get("/v1/server", "Accept", "image/png").is(406));
    String viewer = OneServer.token("viewer");
    contract.check("listAudit", caller.as(viewer).get("/v1/audit").is(403));
    String deletion = "/v1/clusterqueues/cpus";
    contract.check("deleteQuotaObject", caller.delete(deletion).is(409));
    contract.check("deleteQuotaObject", caller.delete(deletion, "If-Match", "\"99\"").is(412));
  }
}
