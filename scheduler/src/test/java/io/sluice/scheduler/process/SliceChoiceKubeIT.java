// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Which slices of a real cluster a job may be given: those whose nodes meet its selectors, take
 * pods, and are not in use by pods that Sluice did not admit.
 */
@Tag("long")
@OnControlPlane
class SliceChoiceKubeIT {
  private static final String QUOTA =
      ClusterQuota.of("research").chips("v6e", 64).cpus(16).localQueue("tpu").yaml();
  private static ControlPlane plane;
  private static ServerHome home;
  private static StartedServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    plane = ControlPlane.shared();
    plane.clear();
    addSlice("v6e-8-a", "");
    addSlice("v6e-8-b", "cloud.google.com/gke-spot: 'true'");
    addSlice("v6e-8-c", "");
    plane.addNode("cpu-0", "");
    home = new ServerHome();
    server = home.startOn(plane.kubeconfig());
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
    caller.await("/v1/fleet", fleet -> fleet.at("/sliceCount/ready").equals("3"));
  }

  private static void addSlice(String pool, String more) {
    plane.addSlice(pool, "tpu-v6e-slice", "2x4", 2, more);
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
    plane.clear();
    home.close();
  }

  @AfterEach
  void cancel() throws Exception {
    caller.cancelAll();
    plane.await("pods", "sluice.io/job-id", pods -> ControlPlane.live(pods).findAny().isEmpty());
    plane.kubectl("delete", "jobsets.jobset.x-k8s.io", "-n", "default", "--all", "--wait=true");
  }

  /** A JobSet on one slice of two hosts. */
  private static String onASlice(String name, String selector) {
    return """
    apiVersion: jobset.x-k8s.io/v1alpha2
    kind: JobSet
    metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: tpu}}
    spec:
      replicatedJobs:
      - name: workers
        template:
          spec:
            parallelism: 2
            completions: 2
            backoffLimit: 0
            template:
              spec:
                restartPolicy: Never
                terminationGracePeriodSeconds: 1
                nodeSelector:
                  cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
                  cloud.google.com/gke-tpu-topology: 2x4
                  %s
                containers:
                - name: main
                  image: python:3.11
                  resources: {requests: {google.com/tpu: 4}, limits: {google.com/tpu: 4}}
    """
        .formatted(name, selector);
  }

  private static String slicesOf(String id) throws Exception {
    return caller
        .get("/v1/jobs/" + id + "/attempts")
        .json()
        .at("/items/0/assignment/slices")
        .toString();
  }

  @Test
  void aJobIsGivenASliceWhoseNodesMeetItsSelectorsThoughTheFlavorNamesNoSuchLabel()
      throws Exception {
    String spot = caller.submit(onASlice("spot", "cloud.google.com/gke-spot: 'true'"));
    String pool = caller.submit(onASlice("pool", "cloud.google.com/gke-nodepool: v6e-8-c"));
    caller.awaitState(spot, "RUNNING");
    caller.awaitState(pool, "RUNNING");
    assertThat(slicesOf(spot)).isEqualTo("[\"v6e-8-b\"]");
    assertThat(slicesOf(pool)).isEqualTo("[\"v6e-8-c\"]");

    String second = caller.submit(onASlice("second", "cloud.google.com/gke-spot: 'true'"));
    String nowhere = caller.submit(onASlice("nowhere", "cloud.google.com/gke-nodepool: v6e-8-d"));
    caller.await(
        "/v1/jobs/" + nowhere + "/explanation",
        said -> said.at("/blocker").equals("NO_MATCHING_SLICES"));
    assertThat(caller.get("/v1/jobs/" + nowhere + "/explanation").at("/reason"))
        .contains("0 of 3 slices")
        .contains("node selector cloud.google.com/gke-nodepool=v6e-8-d");
    caller.await(
        "/v1/jobs/" + second + "/explanation",
        said ->
            said.at("/blocker").equals("SLICES_IN_USE")
                && said.at("/reason").contains("held by spot"));
  }

  @Test
  void aJobSetHasStartedWhenThePodsRunThatMayExistSoFar() throws Exception {
    String id =
        caller.submit(
            """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata: {name: staged, namespace: default, labels: {kueue.x-k8s.io/queue-name: tpu}}
            spec:
              replicatedJobs:
              - name: driver
                template:
                  spec:
                    backoffLimit: 0
                    template:
                      spec:
                        restartPolicy: Never
                        terminationGracePeriodSeconds: 1
                        containers:
                        - {name: main, image: 'python:3.11', resources: {requests: {cpu: 1}}}
              - name: workers
                dependsOn: [{name: driver, status: Complete}]
                template:
                  spec:
                    backoffLimit: 0
                    template:
                      spec:
                        restartPolicy: Never
                        terminationGracePeriodSeconds: 1
                        containers:
                        - {name: main, image: 'python:3.11', resources: {requests: {cpu: 1}}}
            """);
    caller.awaitState(id, "RUNNING");
    assertThat(ControlPlane.live(plane.list("pods", "sluice.io/job-id=" + id))).hasSize(1);
  }

  @Test
  void aSliceInUseByAPodOutsideSluiceIsGivenToNobodyUntilThePodHasGone() throws Exception {
    plane.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: notebook, namespace: default}
        spec:
          nodeName: v6e-8-a-1
          terminationGracePeriodSeconds: 1
          containers:
          - name: main
            image: python:3.11
            resources: {requests: {google.com/tpu: 4}, limits: {google.com/tpu: 4}}
        """);
    String words = "node v6e-8-a-1 is in use outside Sluice by default/notebook";
    caller.await(
        "/v1/slices/v6e-8-a",
        slice -> slice.at("/condition").equals("ABSENT") && slice.at("/reason").equals(words));
    assertThat(caller.get("/v1/hosts").text())
        .contains("\"outside\":{\"count\":1,\"pods\":[\"default/notebook\"]");

    String id = caller.submit(onASlice("waits", "cloud.google.com/gke-nodepool: v6e-8-a"));
    caller.await("/v1/jobs/" + id + "/explanation", said -> said.at("/reason").contains(words));
    assertThat(plane.list("pods", "sluice.io/job-id=" + id)).isEmpty();
    plane.kubectl("delete", "pod", "notebook", "-n", "default", "--wait=false");
    caller.awaitState(id, "RUNNING");
    assertThat(slicesOf(id)).isEqualTo("[\"v6e-8-a\"]");
    assertThat(caller.get("/v1/slices/v6e-8-a").at("/condition")).isEqualTo("READY");
  }

  @Test
  void aSliceThatCannotBeGivenSaysWhichNodeKeepsItAndWhy() throws Exception {
    plane.kubectl("cordon", "v6e-8-c-1");
    awaitReason("node v6e-8-c-1 is cordoned");
    plane.kubectl("uncordon", "v6e-8-c-1");
    caller.await("/v1/slices/v6e-8-c", slice -> slice.at("/condition").equals("READY"));

    plane.kubectl("delete", "node", "v6e-8-c-0");
    awaitReason("1 of 2 nodes are there");
    addSlice("v6e-8-c", "");
    caller.await("/v1/slices/v6e-8-c", slice -> slice.at("/condition").equals("READY"));
  }

  private static void awaitReason(String words) throws Exception {
    caller.await(
        "/v1/slices/v6e-8-c",
        slice -> slice.at("/condition").equals("ABSENT") && slice.at("/reason").equals(words));
  }
}
