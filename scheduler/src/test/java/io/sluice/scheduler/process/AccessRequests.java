// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One request for each operation of the OpenAPI document. A request that is permitted changes
 * nothing that another one needs: it is a dry run, repeats what is there, or names what is not.
 */
final class AccessRequests {
  /** Stands for a namespace in paths and bodies, and in names of what was created there. */
  static final String NAMESPACE = "NS";

  private static final String SOME_NAME = "/no-such-one";
  private static final String JOB =
      """
      apiVersion: sluice.io/v1
      kind: Job
      metadata: {name: NS-tried, namespace: NS}
      spec: {queue: main, requests: {cpu: 1}, command: ["true"]}
      """;
  private static final String FLAVOR =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: tried}
      """;
  static final String PIPELINE =
      """
      apiVersion: sluice.io/v1
      kind: Pipeline
      metadata: {name: NS-nightly, namespace: NS}
      spec:
        schedules:
        - {name: NS-yearly, cron: "30 1 1 1 *", timeZone: Europe/Berlin, paused: true}
        - {name: NS-daily, cron: "30 1 * * *", timeZone: Europe/Berlin}
        steps:
        - name: only
          job:
            spec:
              queue: main
              requests: {cpu: 1}
              env: {PASSWORD: value-of-NS-}
              command: ["true"]
      """;

  private static final String MALFORMED = "{\"unknown\":1}";

  private final Map<String, Request> requests = new TreeMap<>();

  /**
   * A request.
   *
   * @param path with {@link #NAMESPACE}, and {@code {name}} for the ids of {@link AccessIT}
   * @param body null: none
   */
  record Request(String path, @Nullable String body) {
    /** Returns whether it is refused as malformed, so that it starts nothing. */
    boolean malformed() {
      return MALFORMED.equals(body);
    }

    /** Returns whether it is about a namespace. */
    boolean namespaced() {
      return path.contains(NAMESPACE)
          || path.contains("{")
          || (body != null && body.contains(NAMESPACE));
    }
  }

  AccessRequests() {
    jobs();
    pipelines();
    quota();
    fleet();
    server();
  }

  /** Returns the request for an operation; there must be one for each. */
  Request of(String operation) {
    Request request = requests.get(operation);
    if (request == null) {
      throw new AssertionError("there is no request for operation " + operation);
    }
    return request;
  }

  private void add(String operation, String path) {
    add(operation, path, null);
  }

  private void add(String operation, String path, @Nullable String body) {
    requests.put(operation, new Request(path, body));
  }

  private void jobs() {
    add("submitJob", "/v1/jobs?dryRun=true", JOB);
    add("submitJobs", "/v1/jobs/bulk?dryRun=true", JOB);
    add("apply", "/v1/apply?dryRun=true", JOB);
    add("simulate", "/v1/simulate?horizon=1h", JOB);
    add("listJobs", "/v1/jobs?namespace=NS");
    add("countJobs", "/v1/jobs/counts?by=namespace,queue&namespace=NS");
    add("getJob", "/v1/jobs/{done}");
    add("listAttempts", "/v1/jobs/{done}/attempts");
    add("listJobEvents", "/v1/jobs/{done}/events");
    add("readLogs", "/v1/jobs/{done}/logs");
    add("explainJob", "/v1/jobs/{waiting}/explanation");
    add("cancelJob", "/v1/jobs/{done}/cancel", "");
    add("holdJob", "/v1/jobs/{done}/hold", "");
    add("releaseJob", "/v1/jobs/{done}/release", "");
    add("prioritizeJob", "/v1/jobs/{done}/prioritize?class=high", "");
    add("limitJob", "/v1/jobs/{done}/limit?timeLimit=1h", "");
    add("confirmLost", "/v1/jobs/{done}/confirm-lost?attempt=1", "");
    add(
        "reportCheckpoint",
        "/v1/jobs/{done}/checkpoint",
        "{\"attempt\":1,\"generation\":1,\"text\":\"step-1\"}");
    add("resolveName", "/v1/names/job?name=NS-done&namespace=NS");
  }

  private void pipelines() {
    String pipeline = "/v1/pipelines/NS/NS-nightly";
    add("savePipeline", "/v1/pipelines", PIPELINE);
    add("listPipelines", "/v1/pipelines?namespace=NS");
    add("getPipeline", pipeline);
    add("deletePipeline", pipeline + "?dryRun=true");
    add("startRun", pipeline + "/runs", MALFORMED);
    add("listRuns", "/v1/runs?namespace=NS");
    add("getRun", "/v1/runs/{run}");
    add("cancelRun", "/v1/runs/{run}/cancel", "");
    add("resumeRun", "/v1/runs/{run}/resume", "");
    add("rerunStep", "/v1/runs/{run}/steps/only/rerun", "");
    String schedule = "/v1/schedules/NS/NS-nightly/NS-yearly";
    add("listSchedules", "/v1/schedules?namespace=NS");
    add("listUpcomingRuns", "/v1/schedules/upcoming?namespace=NS");
    add("getSchedule", schedule);
    add("pauseSchedule", schedule + "/pause", "");
    add("resumeSchedule", schedule + "/resume", "");
    add("startBackfill", schedule + "/backfills", MALFORMED);
    add("listBackfills", "/v1/backfills?namespace=NS");
    add("getBackfill", "/v1/backfills/{backfill}");
    add("cancelBackfill", "/v1/backfills/{backfill}/cancel", "");
  }

  private void quota() {
    add("listQuotaObjects", "/v1/clusterqueues");
    add("createQuotaObject", "/v1/resourceflavors?dryRun=true", FLAVOR);
    add("getQuotaObject", "/v1/clusterqueues/cpus");
    add("updateQuotaObject", "/v1/resourceflavors/tried?dryRun=true", FLAVOR);
    add("deleteQuotaObject", "/v1/resourceflavors/v6e?dryRun=true");
    String queue = "/v1/localqueues/NS/main";
    add("getNamespacedQuotaObject", queue);
    add("deleteNamespacedQuotaObject", queue + "?dryRun=true");
    add(
        "updateNamespacedQuotaObject",
        queue + "?dryRun=true",
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: main, namespace: NS}
        spec: {clusterQueue: cpus, stopPolicy: Hold}
        """);
    add("exportKueue", "/v1/kueue/export");
    add("importKueue", "/v1/kueue/import", MALFORMED);
    String visibility = "/apis/visibility.kueue.x-k8s.io/v1beta2";
    add("listPendingOfClusterQueue", visibility + "/clusterqueues/slices/pendingworkloads");
    add(
        "listPendingOfLocalQueue",
        visibility + "/namespaces/NS/localqueues/chips/pendingworkloads");
  }

  private void fleet() {
    add("getFleet", "/v1/fleet");
    add("getFleetMap", "/v1/fleet/map");
    add("listAllocations", "/v1/fleet/allocations");
    add("listEndedAttempts", "/v1/attempts");
    add("listSlices", "/v1/slices");
    add("getSlice", "/v1/slices/v6e-0");
    add("listSliceHistory", "/v1/slices/v6e-0/history");
    add("listHosts", "/v1/hosts");
    add("getHost", "/v1/fleet/hosts/cpu");
    add("failHost", "/v1/fleet/hosts" + SOME_NAME + "/fail", "");
    add("returnHost", "/v1/fleet/hosts" + SOME_NAME + "/return", "");
    add("reclaimSlice", "/v1/fleet/slices" + SOME_NAME + "/reclaim", "");
    add("returnSlice", "/v1/fleet/slices" + SOME_NAME + "/return", "");
    add("getCapacity", "/v1/fleet/capacity/spot");
    add("setCapacity", "/v1/fleet/capacity/spot", "");
    add("listPlan", "/v1/plan");
    add("listAccuracy", "/v1/accuracy");
  }

  private void server() {
    add("watchEvents", "/v1/events?namespace=NS&after=0&limit=500");
    add("listAudit", "/v1/audit");
    add("getJournal", "/v1/journal");
    add("recheckBatches", "/v1/journal/1/recheck");
    add("backup", "/v1/backup");
    String token = "/v1/tokens" + SOME_NAME;
    add("listTokens", "/v1/tokens");
    add("createToken", "/v1/tokens", MALFORMED);
    add("getToken", token);
    add("rotateToken", token + "/rotate", "");
    add("revokeToken", token);
    add("beginSession", "/session", "");
    add("endSession", "/session");
    add("listSessions", "/v1/sessions");
    add("revokeSession", "/v1/sessions" + SOME_NAME);
    add("getIdentity", "/v1/whoami");
    add("checkPermission", "/v1/permission?verb=submit&kind=jobs");
    add("getSignIn", "/v1/sign-in");
    add("getServer", "/v1/server");
    add("getProblem", "/problems/in-use");
  }
}
