// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.kube.ApiWire;
import io.sluice.scheduler.kube.ApiWire.Request;
import io.sluice.scheduler.kube.ApiWire.Rule;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A leader is stopped in the middle of a start, another server leads and cancels what was being
 * started, and the first wakes up where it was: nothing of it runs.
 */
@OnControlPlane
class StoppedLeaderKubeIT {
  private static final String QUOTA = ClusterQuota.of("research").cpus(8).localQueue("main").yaml();

  private final ControlPlane plane = ControlPlane.shared();
  private final List<Side> sides = new ArrayList<>();
  private ServerHome home;
  private Process watch;
  private Path pods;

  /** A server, and its way to the cluster. */
  private record Side(StartedServer server, ApiWire wire, Caller caller) {
    boolean leads() throws Exception {
      return caller.get("/v1/server").at("/role").equals("leader");
    }
  }

  @BeforeEach
  void start() throws Exception {
    plane.clear();
    plane.addNode("cpu-0", "");
    pods = Files.createTempFile("sluice-pods-", "");
    watch =
        plane.begin(
            pods,
            "get",
            "pods",
            "--all-namespaces",
            "--selector=sluice.io/job-id",
            "--watch",
            "--no-headers",
            "--output=custom-columns=JOB:.metadata.labels.sluice\\.io/job-id");
    home = new ServerHome();
    for (String name : List.of("one", "other")) {
      ApiWire wire = ApiWire.to(plane);
      StartedServer server = home.startBeside(name, "--kubeconfig", wire.kubeconfig().toString());
      sides.add(new Side(server, wire, server.caller()));
    }
    sides.get(0).caller().post("/v1/apply", QUOTA).is(200);
  }

  @AfterEach
  void end() throws Exception {
    for (Side side : sides) {
      side.wire().close();
      side.server().goOn();
      side.server().close();
    }
    watch.destroyForcibly().waitFor();
    Files.delete(pods);
    home.close();
    plane.clear();
  }

  private static String job(String name, String image) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: %s, namespace: default}
    spec: {queue: main, image: '%s', requests: {cpu: 1}, gracePeriod: 1s}
    """
        .formatted(name, image);
  }

  private static boolean creates(Request request) {
    return request.is("POST", "jobs");
  }

  private static boolean releases(Request request) {
    return request.is("PATCH", "jobs");
  }

  /** Stops whoever leads where a rule of its wire was met; returns the job that was cancelled. */
  private String overtake(String name, boolean reachesCommit, Arrow arrow) throws Exception {
    boolean firstLeads = sides.get(0).leads();
    Side old = sides.get(firstLeads ? 0 : 1);
    Side next = sides.get(firstLeads ? 1 : 0);
    Rule held = arrow.of(old.wire());
    String id = next.caller().submit(job(name, "python:3.11"));
    held.awaitMet();
    old.server().pause();
    // The successor may begin with going on with the start; whatever runs then is the other's work.
    Rule kept = next.wire().refuse(StoppedLeaderKubeIT::releases, 503, "Away", "later");
    next.caller().cancel(id);
    kept.close();
    assertThat(next.leads()).isTrue();
    held.close();
    old.server().goOn();
    int status = held.awaitStatus();
    assertThat(status).isEqualTo(reachesCommit ? 201 : status).isLessThan(500);
    if (!reachesCommit) {
      assertThat(status).as("of the late release").isGreaterThanOrEqualTo(400);
    }
    old.caller().await("/v1/server", reply -> reply.at("/role").equals("follower"));
    return id;
  }

  /** Between which two steps the leader stands still. */
  private interface Arrow {
    Rule of(ApiWire wire);
  }

  @Test
  void nothingThatAnOvertakenLeaderWasStartingRunsWhenItWakes() throws Exception {
    List<String> overtaken = new ArrayList<>();
    overtaken.add(overtake("creating", true, wire -> wire.hold(StoppedLeaderKubeIT::creates)));
    overtaken.add(
        overtake("committing", true, wire -> wire.holdAnswer(StoppedLeaderKubeIT::creates)));
    overtaken.add(overtake("releasing", false, wire -> wire.hold(StoppedLeaderKubeIT::releases)));

    // Both still do their work.
    String after = sides.get(0).caller().submit(job("after", "ends:1s"));
    sides.get(1).caller().awaitState(after, "SUCCEEDED");
    // Of a late creation a suspended object is left, which the leader deletes after a minute.
    for (String id : overtaken) {
      assertThat(plane.list("jobs", "sluice.io/job-id=" + id))
          .allMatch(job -> job.at("/spec/suspend").asBoolean());
    }
    assertThat(Files.readAllLines(pods)).isNotEmpty().containsOnly(after);
  }
}
