// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.scheduler.kube.ApiWire;
import io.sluice.scheduler.kube.ApiWire.Rule;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever befalls a cluster, its jobs say so, nothing is lost, nothing runs twice, and the same
 * server goes on when it is over.
 */
@Tag("long")
@OnControlPlane
class ClusterFaultsKubeIT {
  private static final String TRAINER = "github.com/kubeflow/trainer/v2@v2.1.0";
  private static final String QUOTA =
      ClusterQuota.CPUS
          + "---\n"
          + ClusterQuota.of("elsewhere")
              .flavor("second", "{sluice.io/cluster: second}", new ClusterQuota.Quota("cpu", "20"))
              .localQueue("elsewhere")
              .yaml();

  private final ControlPlane plane = ControlPlane.shared();
  private ApiWire wire;
  private ServerHome home;
  private StartedServer server;
  private Caller caller;
  private Path kubeconfig;

  @BeforeEach
  void start() throws Exception {
    plane.clear();
    plane.addNode("cpu-0", "");
    wire = ApiWire.to(plane);
    kubeconfig = wire.kubeconfig();
    home = new ServerHome();
    server = home.startOn(kubeconfig);
    caller = server.caller();
    caller.post("/v1/apply", QUOTA).is(200);
  }

  @AfterEach
  void end() throws Exception {
    server.close();
    wire.close();
    home.close();
    plane.clear();
  }

  private static String job(String name, String image, String queue) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: default}
    spec: {queue: %s, image: '%s', requests: {cpu: 1}, gracePeriod: 1s}
    """
        .formatted(name, queue, image);
  }

  private static String of(String id) {
    return "sluice.io/job-id=" + id;
  }

  private void awaitReason(String id, String words) throws Exception {
    caller.await("/v1/jobs/" + id, job -> job.at("/status/reason").contains(words));
    caller.await("/v1/jobs/" + id + "/explanation", said -> said.at("/reason").contains(words));
  }

  private List<String> attempts(String id) throws Exception {
    return caller.get("/v1/jobs/" + id + "/attempts").each("/items", "attempt");
  }

  @Test
  void aClusterThatIsAwayIsWaitedForAndSeenAnewEvenWhenItsPastIsForgotten() throws Exception {
    String goesOn = caller.submit(job("goes-on", "ends:25s", "main"));
    String deleted = caller.submit(job("deleted", "python:3.11", "main"));
    caller.awaitState(goesOn, "RUNNING");
    caller.awaitState(deleted, "RUNNING");
    wire.part();
    String during = caller.submit(job("during", "ends:1s", "main"));
    awaitReason(goesOn, "has not been reached since");
    awaitReason(during, "has not been reached since");
    caller.await("/v1/fleet", fleet -> fleet.json().at("/clusters/0").has("unreachableSince"));

    // A restarted API server knows nothing of versions before its start: watches are too old.
    plane.kubectl("delete", "jobs", "-n", "default", "-l", of(deleted), "--wait=true");
    plane.killApiServer();
    plane.restartApiServer();
    wire.heal();

    caller.awaitState(goesOn, "SUCCEEDED");
    caller.awaitState(during, "SUCCEEDED");
    caller.await("/v1/jobs/" + deleted, job -> job.at("/status/attempts").equals("2"));
    caller.awaitState(deleted, "RUNNING");
    assertThat(caller.get("/v1/jobs/" + deleted).json().at("/status").has("reason")).isFalse();
    assertThat(wire.saidTooOld()).isTrue();
    for (String id : List.of(goesOn, during)) {
      assertThat(attempts(id)).hasSize(1);
      assertThat(plane.list("pods", of(id))).hasSize(1);
    }
    caller.cancel(deleted);
  }

  @Test
  void anApiServerThatHangsIsSaidToBeAwayAlthoughItsWatchesLast() throws Exception {
    caller.await("/v1/fleet", fleet -> !fleet.json().at("/clusters/0").has("unreachableSince"));
    Rule hanging = wire.hold(asked -> true);
    caller.await("/v1/fleet", fleet -> fleet.json().at("/clusters/0").has("unreachableSince"));
    hanging.close();
    caller.await("/v1/fleet", fleet -> !fleet.json().at("/clusters/0").has("unreachableSince"));
  }

  @Test
  void conflictsOnEveryWriteAreSaidAndOutlived() throws Exception {
    Rule creating = wire.refuse(asked -> asked.is("POST", "jobs"), 409, "Conflict", "try again");
    String id = caller.submit(job("contended", "python:3.11", "main"));
    awaitReason(id, "try again");
    Rule releasing = wire.refuse(asked -> asked.is("PATCH", "jobs"), 409, "Conflict", "changed");
    creating.close();
    awaitReason(id, "changes too often to be released");
    assertThat(plane.list("pods", of(id))).isEmpty();
    releasing.close();
    caller.awaitState(id, "RUNNING");
    assertThat(plane.list("jobs", of(id))).hasSize(1);

    Rule deleting = wire.refuse(asked -> asked.is("DELETE", "jobs"), 409, "Conflict", "changed");
    caller.post("/v1/jobs/" + id + "/cancel", "").is(202);
    deleting.awaitMet();
    awaitReason(id, "still there");
    deleting.close();
    caller.awaitState(id, "CANCELLED");
    assertThat(plane.list("jobs", of(id))).isEmpty();
    assertThat(attempts(id)).hasSize(1);
  }

  @Test
  void anObjectThatIsEditedBeforeItsReleaseDoesNotRun() throws Exception {
    Rule releasing = wire.hold(asked -> asked.is("PATCH", "jobs"));
    String id = caller.submit(job("edited", "python:3.11", "main"));
    releasing.awaitMet();
    JsonNode created = plane.list("jobs", of(id)).get(0);
    plane.kubectl(
        "patch",
        "job",
        created.at("/metadata/name").asText(),
        "-n",
        "default",
        "--type=merge",
        "-p",
        "{\"spec\":{\"backoffLimit\":9}}");
    releasing.close();
    assertThat(caller.awaitState(id, "FAILED").at("/status/reason"))
        .contains("was edited by somebody else");
    assertThat(plane.list("pods", of(id))).isEmpty();
    plane.await("jobs", of(id), List::isEmpty);
  }

  @Test
  void aNamespaceThatForbidsIsNamedInTheReason() throws Exception {
    quota("pods", "pods=0");
    String waits = caller.submit(job("waits", "ends:1s", "main"));
    awaitReason(waits, "exceeded quota");
    plane.kubectl("delete", "quota", "pods", "-n", "default");
    caller.awaitState(waits, "SUCCEEDED");
    assertThat(attempts(waits)).hasSize(1);

    quota("jobs", "count/jobs.batch=0");
    String refused = caller.submit(job("refused", "ends:1s", "main"));
    awaitReason(refused, "exceeded quota");
    caller.await("/v1/jobs/" + refused, job -> job.at("/status/blocker").equals("NAMESPACE_QUOTA"));
    plane.kubectl("delete", "quota", "jobs", "-n", "default");
    caller.awaitState(refused, "SUCCEEDED");
    assertThat(attempts(refused)).hasSize(1);
  }

  private void quota(String name, String hard) {
    plane.kubectl("create", "quota", name, "-n", "default", "--hard=" + hard);
    plane.await(
        "quota", "", found -> found.stream().allMatch(one -> one.at("/status").has("hard")));
  }

  @Test
  void aKindMayBeInstalledWhileTheServerRuns() throws Exception {
    String early = caller.submit(trainJob("early"));
    awaitReason(early, "is its CRD installed?");
    Path crds = module().resolve("manifests/base/crds");
    Path crd = crds.resolve("trainer.kubeflow.org_trainjobs.yaml");
    plane.apply(Files.readString(crd));
    plane.kubectl("wait", "--for=condition=Established", "crd/trainjobs.trainer.kubeflow.org");
    try {
      String id = caller.submit(trainJob("late"));
      JsonNode object =
          plane
              .await(
                  "trainjobs",
                  of(id),
                  found -> found.size() == 1 && !found.get(0).at("/spec/suspend").asBoolean(true))
              .get(0);
      plane.kubectl(
          "patch",
          "trainjob",
          object.at("/metadata/name").asText(),
          "-n",
          "default",
          "--subresource=status",
          "--type=merge",
          "-p",
          """
          {"status":{"conditions":[{"type":"Complete","status":"True","reason":"JobsCompleted",\
          "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
          """);
      caller.awaitState(id, "SUCCEEDED");
    } finally {
      plane.kubectl("delete", "crd", "trainjobs.trainer.kubeflow.org");
    }
  }

  private static String trainJob(String name) {
    return """
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata: {name: %s, namespace: default, labels: {kueue.x-k8s.io/queue-name: main}}
    spec:
      runtimeRef: {name: torch-distributed}
      trainer: {numNodes: 2, resourcesPerNode: {requests: {cpu: 1}}}
    """
        .formatted(name);
  }

  /** Where Go has the module of the training operator. */
  private static Path module() throws Exception {
    Process go = new ProcessBuilder("go", "mod", "download", "-json", TRAINER).start();
    String said = new String(go.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return Path.of(new ObjectMapper().readTree(said).path("Dir").asText());
  }

  @Test
  void aClusterMayComeAndGoAndComeBackWhileTheServerRuns() throws Exception {
    ControlPlane other = ControlPlane.bare();
    ApiWire otherWire = ApiWire.to(other);
    String local = Files.readString(kubeconfig);
    String both = ApiWire.kubeconfig(List.of("local", "second"), List.of(wire, otherWire));
    String early = caller.submit(job("early", "python:3.11", "elsewhere"));
    awaitReason(early, "there is no cluster second");

    Files.writeString(kubeconfig, both);
    awaitReleased(other, early);
    caller.await("/v1/fleet", fleet -> fleet.each("/clusters", "name").contains("second"));

    String id = caller.submit(job("stays", "python:3.11", "elsewhere"));
    JsonNode object = awaitReleased(other, id);
    Files.writeString(kubeconfig, local);
    awaitReason(id, "cluster second is no longer in the kubeconfig");
    caller.await("/v1/fleet", fleet -> !fleet.each("/clusters", "name").contains("second"));
    complete(other, object);
    String cancelled = caller.submit(job("cancelled", "python:3.11", "elsewhere"));
    awaitReason(cancelled, "there is no cluster second");
    caller.cancel(cancelled);

    Files.writeString(kubeconfig, both);
    caller.awaitState(id, "SUCCEEDED");
    assertThat(attempts(id)).hasSize(1);
    assertThat(other.list("jobs", of(cancelled))).isEmpty();
    otherWire.close();
  }

  private static JsonNode awaitReleased(ControlPlane cluster, String id) {
    return cluster
        .await(
            "jobs",
            of(id),
            found -> found.size() == 1 && !found.get(0).at("/spec/suspend").asBoolean(true))
        .get(0);
  }

  /** Plays the controller of Jobs, which this cluster does not have. */
  private static void complete(ControlPlane cluster, JsonNode job) {
    cluster.kubectl(
        "patch",
        "job",
        job.at("/metadata/name").asText(),
        "-n",
        "default",
        "--subresource=status",
        "--type=merge",
        "-p",
        """
        {"status":{"startTime":"2026-01-01T00:00:00Z","completionTime":"2026-01-01T00:00:01Z",\
        "succeeded":1,"uncountedTerminatedPods":{},"conditions":[\
        {"type":"SuccessCriteriaMet","status":"True","lastTransitionTime":"2026-01-01T00:00:01Z"},\
        {"type":"Complete","status":"True","lastTransitionTime":"2026-01-01T00:00:01Z"}]}}\
        """);
  }
}
