// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A start that a cluster refuses waits, names its blocker, and goes on when that is gone. */
@OnControlPlane
class ParkedStartKubeIT {
  private static final String QUOTA =
      ClusterQuota.of("research").cpus(20).localQueue("main").localQueue("main", "absent").yaml();
  private final ControlPlane plane = ControlPlane.shared();
  private ServerHome home;
  private StartedServer server;
  private Caller caller;

  @BeforeEach
  void start() throws Exception {
    plane.clear();
    plane.addNode("cpu-0", "");
    home = new ServerHome();
    server = home.startOn(plane.kubeconfig());
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
  }

  @AfterEach
  void end() throws Exception {
    server.close();
    home.close();
    plane.clear();
  }

  private static String job(String name, String container) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: main, %s, resources: {requests: {cpu: 1}}}]
    """
        .formatted(name, container);
  }

  private void awaitBlocker(String id, String blocker, String words) throws Exception {
    caller.await(
        "/v1/jobs/" + id,
        job ->
            job.at("/status/blocker").equals(blocker)
                && job.at("/status/reason").contains(words)
                && job.at("/status/state").equals("ADMITTED"));
    caller.await(
        "/v1/jobs/" + id + "/explanation",
        said -> said.at("/blocker").equals(blocker) && said.at("/reason").contains(words));
  }

  private void assertOneAttempt(String id) throws Exception {
    assertThat(caller.get("/v1/jobs/" + id + "/attempts").each("/items", "attempt")).hasSize(1);
  }

  @Test
  void aMissingRightANamespaceAndANameAreWaitedForAndAnInvalidSpecFails() throws Exception {
    plane.unbind("default");
    String unbound = caller.submit(job("unbound", "image: 'ends:1s'"));
    try {
      awaitBlocker(unbound, "NOT_PERMITTED", "cannot create resource");
    } finally {
      plane.bind("default");
    }
    caller.awaitState(unbound, "SUCCEEDED");
    assertOneAttempt(unbound);

    String absent =
        caller.submit(
            job("absent", "image: 'ends:1s'").replace("namespace: default", "namespace: absent"));
    awaitBlocker(absent, "NAMESPACE_MISSING", "namespace absent is not there");
    plane.kubectl("create", "namespace", "absent");
    try {
      plane.bind("absent");
      caller.awaitState(absent, "SUCCEEDED");
      assertOneAttempt(absent);
    } finally {
      plane.kubectl("delete", "namespace", "absent", "--wait=false");
    }

    plane.apply(
        job("taken", "image: python").replace(", labels: {kueue.x-k8s.io/queue-name: main}", ""));
    // A Job of indices keeps its name, by which its pods know each other.
    String taken =
        caller.submit(
            job("taken", "image: 'ends:1s'")
                .replace(
                    "  template:", "  completionMode: Indexed\n  completions: 1\n  template:"));
    awaitBlocker(taken, "NAME_TAKEN", "that is not Sluice's");
    plane.kubectl("delete", "job", "taken", "-n", "default", "--wait=true");
    caller.awaitState(taken, "SUCCEEDED");
    assertOneAttempt(taken);

    String invalid =
        caller.submit(job("invalid", "image: x, volumeMounts: [{name: none, mountPath: /x}]"));
    assertThat(caller.awaitState(invalid, "FAILED").text()).contains("volumeMounts");
    assertThat(plane.list("jobs", "sluice.io/job-id=" + invalid)).isEqualTo(List.of());
  }
}
