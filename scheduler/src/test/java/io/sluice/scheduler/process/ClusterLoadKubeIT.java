// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.kube.ApiWire;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What an API server is asked for while jobs are started and when nothing happens, and what a
 * server needs for many nodes and pods. Few of each, unless more are asked for.
 */
@Tag("long")
@OnControlPlane
class ClusterLoadKubeIT {
  private static final Logger LOG = Logger.getLogger(ClusterLoadKubeIT.class);
  private static final int JOBS = Integer.getInteger("sluice.kube.jobs", 40);
  private static final int NODES = Integer.getInteger("sluice.kube.nodes", 100);
  private static final int PODS = Integer.getInteger("sluice.kube.pods", 400);
  private static final int BULK = 500;
  private static final Duration STEADY = Duration.ofSeconds(10);
  private static final String QUOTA =
      ClusterQuota.of("research").cpus(100_000).localQueue("main").yaml();

  private static final String RUNNING =
      """
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: %s, namespace: default}
      status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}
      """;

  private final ControlPlane plane = ControlPlane.bare();
  private ApiWire wire;
  private ServerHome home;
  private StartedServer server;
  private Caller caller;

  @BeforeEach
  void start() throws Exception {
    wire = ApiWire.to(plane);
    plane.apply(
        "{apiVersion: v1, kind: ServiceAccount, metadata: {name: default, namespace: default}}");
    home = new ServerHome();
    server = home.startOn(wire.kubeconfig());
    caller = server.caller();
  }

  @AfterEach
  void end() throws Exception {
    server.close();
    wire.close();
    home.close();
  }

  private static boolean lists(ApiWire.Request request) {
    return request.method().equals("GET")
        && !request.watches()
        && !request.path().matches("/api/v1|/apis/[^/?]+/v[0-9a-z]+");
  }

  @Test
  void eachJobCostsTwoRequestsAndWhatRunsCostsNone() throws Exception {
    caller.post("/v1/apply", QUOTA).is(200);
    StringBuilder jobs = new StringBuilder();
    wire.forget();
    Instant begun = Instant.now();
    for (int number = 0; number < JOBS; number++) {
      jobs.append("---\n").append(job(number));
      if (number % BULK == BULK - 1 || number == JOBS - 1) {
        caller.post("/v1/jobs/bulk", jobs.toString()).is(201);
        jobs.setLength(0);
      }
    }
    awaitRequests("PATCH", JOBS);
    LOG.infof(
        "%d jobs were released after %d ms",
        JOBS, Duration.between(begun, Instant.now()).toMillis());
    assertThat(wire.count(request -> request.is("POST", "jobs"))).isEqualTo(JOBS);
    assertThat(wire.count(request -> request.is("PATCH", "jobs"))).isEqualTo(JOBS);

    runAll();
    caller.await("/v1/jobs?state=ADMITTED&limit=1", page -> page.json().path("items").isEmpty());
    Thread.sleep(STEADY.toMillis());
    wire.forget();
    Thread.sleep(STEADY.toMillis());
    assertThat(wire.requests().stream().filter(ClusterLoadKubeIT::lists).limit(10)).isEmpty();
  }

  /** What controllers, scheduler and nodes would do, none of which is there. */
  private void runAll() throws IOException, InterruptedException {
    List<String> pods = new ArrayList<>();
    StringBuilder statuses = new StringBuilder();
    for (JsonNode job : plane.list("jobs", "sluice.io/job-id")) {
      ObjectNode template = job.path("spec").path("template").deepCopy();
      String name = job.path("metadata").path("name").asText() + "-0";
      template.put("apiVersion", "v1").put("kind", "Pod").withObject("/metadata").put("name", name);
      pods.add(template.toString());
      statuses.append(RUNNING.formatted(name));
    }
    plane.create("/api/v1/namespaces/default/pods", pods);
    plane.kubectlWith(
        statuses.toString(), "apply", "--server-side", "--subresource=status", "-f", "-");
  }

  private void awaitRequests(String method, int count) throws InterruptedException {
    Instant deadline = Instant.now().plus(ControlPlane.PATIENCE);
    while (wire.count(request -> request.is(method, "jobs")) < count) {
      assertThat(Instant.now()).isBefore(deadline);
      Thread.sleep(50);
    }
  }

  private static String job(int number) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: job-%d, namespace: default}
    spec: {queue: main, image: 'python:3.11', requests: {cpu: 1}}
    """
        .formatted(number);
  }

  @Test
  void manyNodesAndPodsFitIntoAServer() throws Exception {
    List<String> nodes = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      nodes.add(node(node));
    }
    plane.create("/api/v1/nodes", nodes);
    List<String> pods = new ArrayList<>();
    for (int pod = 0; pod < PODS; pod++) {
      pods.add(pod(pod));
    }
    plane.create("/api/v1/namespaces/default/pods", pods);
    caller.await("/v1/fleet", fleet -> fleet.at("/clusters/0/nodes").equals("" + NODES));
    Thread.sleep(STEADY.toMillis());
    LOG.infof(
        "%d nodes and %d pods: at most %d MiB resident, with a heap of at most 512",
        NODES, PODS, server.mostMebibytes());
    assertThat(wire.count(request -> request.is("GET", "pods"))).isPositive();
  }

  private static String node(int number) {
    return """
    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-%d", "labels": {
      "kubernetes.io/hostname": "node-%d", "example.com/one": "1", "example.com/two": "2"}},
     "status": {"allocatable": {"cpu": "32", "memory": "256Gi", "pods": "110"},
       "conditions": [{"type": "Ready", "status": "True"}]}}
    """
        .formatted(number, number);
  }

  /** Of no attempt that is known, which changes nothing of what is kept of it. */
  private static String pod(int number) {
    StringBuilder environment = new StringBuilder();
    for (int variable = 0; variable < 20; variable++) {
      environment.append(variable == 0 ? "" : ",");
      environment.append(
          "{\"name\": \"VARIABLE_%d\", \"value\": \"a value that says something\"}"
              .formatted(variable));
    }
    return """
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod-%d", "labels": {
      "sluice.io/job-id": "0197f0a0-0000-7000-8000-%012d", "sluice.io/attempt": "1",
      "sluice.io/generation": "1"}},
     "spec": {"nodeName": "node-%d", "terminationGracePeriodSeconds": 0, "containers": [{
       "name": "main", "image": "python:3.11", "env": [%s]}]}}
    """
        .formatted(number, number, number % NODES, environment);
  }
}
