// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.kube.CertificateFiles;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import io.sluice.scheduler.kube.ShippedAccount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where an API server has no policies it asks the server, and what it does is the same. */
@Tag("long")
@OnControlPlane
class AdoptionWebhookKubeIT {
  private static final String QUOTA =
      ClusterQuota.of("research")
          .batchCpus(4)
          .localQueue("main")
          .localQueue("default", "defaults")
          .yaml();
  private static ControlPlane plane;
  private Path folder;
  private ServerHome home;
  private StartedServer server;
  private KubectlUser alice;

  @BeforeAll
  static void nodes() throws IOException {
    plane = ControlPlane.shared();
    plane.clear();
    plane.addNode("batch-0", "pool: batch");
    AdoptionCases.prepare(plane);
  }

  @AfterAll
  static void clear() {
    AdoptionCases.clear(plane);
    plane.clear();
  }

  @BeforeEach
  void start() throws Exception {
    folder = Files.createTempDirectory("sluice-webhook-");
    CertificateFiles files = CertificateFiles.make(folder, "EC");
    int port = LoopbackPort.free();
    home = new ServerHome();
    server =
        home.start(
            "--kubeconfig",
            plane.kubeconfig().toString(),
            "--webhook-certificate",
            files.certificate().toString(),
            "--webhook-key",
            files.key().toString(),
            "--webhook-port",
            Integer.toString(port));
    alice = KubectlUser.asking(plane, "https://127.0.0.1:" + port, files);
  }

  @AfterEach
  void end() throws Exception {
    alice.close();
    plane.kubectl("delete", "jobs,pods", "-n", "default", "--all", "--wait=true");
    server.close();
    home.close();
    StartedServer.delete(folder);
  }

  private static String job(String name, String labels) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %s, labels: {%s}}
    spec:
      template:
        spec:
          restartPolicy: Never
          terminationGracePeriodSeconds: 1
          containers: [{name: main, image: python, resources: {requests: {cpu: 3}}}]
    """
        .formatted(name, labels);
  }

  private JsonNode held(String name) {
    return alice.object("jobs", name);
  }

  private void patch(String kind, String name, String patch) {
    alice.kubectl("patch", kind, name, "--type=merge", "-p", patch);
  }

  @Test
  void whatIsCreatedWaitsForItsAdmissionAndIsNotResumedByItsUser() throws Exception {
    Caller caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
    alice.create(job("first", "sluice.io/queue-name: main"));
    String first = KubectlUser.adopted(caller, "first");
    caller.awaitState(first, "RUNNING");
    assertThatThrownBy(() -> patch("job", "first", "{\"spec\":{\"suspend\":true}}"))
        .hasMessageContaining("Sluice suspends and resumes it");
    assertThatThrownBy(() -> patch("job", "first", "{\"spec\":{\"backoffLimit\":1}}"))
        .hasMessageContaining("it was admitted as it is");

    alice.create(job("second", "kueue.x-k8s.io/queue-name: main"));
    String second = KubectlUser.adopted(caller, "second");
    assertThat(held("second").at("/spec/suspend").asBoolean()).isTrue();
    assertThatThrownBy(() -> patch("job", "second", "{\"spec\":{\"suspend\":false}}"))
        .hasMessageContaining("Sluice suspends and resumes it");
    assertThat(caller.get("/v1/jobs/" + second).at("/status/state")).isEqualTo("PENDING");
    alice.kubectl("delete", "job", "first");
    caller.awaitState(first, "CANCELLED");
    caller.awaitState(second, "RUNNING");
  }

  @Test
  void withoutAServerNothingThatNamesAQueueBeginsAndAllElseGoesOn() throws Exception {
    alice.create(job("waits", "sluice.io/queue-name: nowhere"));
    alice.kubectl("patch", "job", "waits", "--type=json", "-p", AdoptionCases.FINALIZER);
    String inDefault =
        job("unnamed", "")
            .replace("name: unnamed", "name: unnamed, namespace: " + AdoptionCases.DEFAULTS);
    server.caller().post("/v1/apply", QUOTA).is(200);
    plane.await("namespaces", "", all -> alice.probe(inDefault).contains("suspend: true"));
    server.kill();

    assertThatThrownBy(() -> alice.create(job("named", "sluice.io/queue-name: main")))
        .hasMessageContaining("failed calling webhook \"suspend.sluice.io\"");
    assertThatThrownBy(() -> patch("job", "waits", "{\"spec\":{\"suspend\":false}}"))
        .hasMessageContaining("failed calling webhook \"keep.sluice.io\"");
    alice.create(job("unnamed", ""));
    assertThat(held("unnamed").at("/spec/suspend").asBoolean()).isFalse();
    assertThat(alice.probe(inDefault)).as("who asked for nothing").contains("suspend: false");
    plane.kubectlWith(
        job("of-sluice", "sluice.io/queue-name: main"),
        "create",
        "-n",
        "default",
        "--as=" + ShippedAccount.NAME,
        "-f",
        "-");

    patch("job", "waits", "{\"metadata\":{\"annotations\":{\"seen\":\"yes\"}}}");
    alice.kubectl("delete", "job", "waits", "--wait=false");
    patch("job", "waits", "{\"metadata\":{\"finalizers\":[]}}");
    plane.await(
        "jobs",
        "",
        jobs -> jobs.stream().noneMatch(one -> one.at("/metadata/name").asText().equals("waits")));
  }

  @Test
  void eachCaseIsAnsweredAsThePoliciesAnswerIt() throws Exception {
    server.caller().post("/v1/apply", QUOTA).is(200);
    Map<String, String> byServer = AdoptionCases.answers(plane, alice);
    alice.close();
    try (KubectlUser byPolicies = KubectlUser.of(plane)) {
      Map<String, String> answers = AdoptionCases.answers(plane, byPolicies);
      assertThat(byServer).hasSizeGreaterThan(30).isEqualTo(answers);
      assertThat(answers).isEqualTo(AdoptionCases.expected());
    }
  }

  @Test
  void whatKustomizeMakesOfTheComponentsIsTaken() throws Exception {
    String components = folder.toRealPath().relativize(Installation.folder()).toString();
    Files.writeString(
        folder.resolve("kustomization.yaml"),
        """
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        resources: [%1$s/base]
        components:
        - %1$s/components/adoption-webhook
        - %1$s/components/adoption-webhook-kueue-label
        - %1$s/components/adoption-webhook-certificate
        """
            .formatted(components));
    int taken = 0;
    for (JsonNode document :
        Installation.documents(plane.kubectl("kustomize", folder.toString()))) {
      String kind = document.path("kind").asText();
      if (kind.endsWith("WebhookConfiguration")) {
        plane.kubectlWith(
            document.toString().replace("\"name\":\"sluice", "\"name\":\"built-sluice"),
            "create",
            "--dry-run=server",
            "--validate=strict",
            "-f",
            "-");
        taken++;
      } else if (kind.equals("Deployment") || kind.equals("Service")) {
        plane.kubectlWith(
            document.toString().replace("sluice-system", "default"),
            "create",
            "--dry-run=server",
            "--validate=strict",
            "-f",
            "-");
        taken++;
      }
    }
    assertThat(taken).isEqualTo(7);
  }
}
