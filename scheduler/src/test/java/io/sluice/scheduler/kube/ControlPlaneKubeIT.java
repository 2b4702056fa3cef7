// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The control plane does what tests on it rely on. */
@OnControlPlane
class ControlPlaneKubeIT {
  private final ControlPlane plane = ControlPlane.shared();

  @AfterEach
  void clear() {
    plane.clear();
  }

  private static String job(String name, String image) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %1$s, namespace: default}
    spec:
      backoffLimit: 0
      template:
        metadata: {labels: {test: %1$s}}
        spec:
          restartPolicy: Never
          containers: [{name: main, image: '%2$s'}]
    """
        .formatted(name, image);
  }

  private void awaitPhase(String name, String phase) {
    plane.await(
        "pods",
        "test=" + name,
        pods -> pods.size() == 1 && pods.get(0).at("/status/phase").asText().equals(phase));
  }

  @Test
  void podsEndAsTheirImagesSayAndElseRunOn() {
    plane.addNode("n1", "");
    plane.apply(job("forever", "python:3.11"));
    plane.apply(job("ends", "ends:1s"));
    plane.apply(job("fails", "fails:1s"));
    plane.apply(job("oom", "oom:1s"));

    awaitPhase("ends", "Succeeded");
    awaitPhase("fails", "Failed");
    awaitPhase("oom", "Failed");
    awaitPhase("forever", "Running");
    assertThat(plane.list("pods", "test=fails").get(0).toString()).contains("\"exitCode\":3");
  }

  @Test
  void theApiServerComesBackWithWhatItHad() throws Exception {
    assumeTrue(System.getenv("SLUICE_TEST_KUBECONFIG") == null, "the cluster is somebody else's");
    plane.addSlice("pool", "tpu-v6e-slice", "4x4", 4);
    plane.killApiServer();
    plane.restartApiServer();
    assertThat(plane.list("nodes", "cloud.google.com/gke-nodepool=pool")).hasSize(4);
  }
}
