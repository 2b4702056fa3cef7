// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What nodes say of the chips of a job; the nodes are made up, and what they say is the test's. */
@Tag("long") // It waits for rounds of half a minute.
@OnControlPlane
class AcceleratorUseKubeIT {
  private static final String QUOTA =
      ClusterQuota.of("research").chips("v6e", 16).localQueue("tpu").yaml();

  private final ControlPlane plane = ControlPlane.shared();
  private volatile String said = "";
  private HttpServer node;
  private ServerHome home;
  private StartedServer server;
  private Caller caller;

  @BeforeEach
  void start() throws Exception {
    plane.clear();
    plane.addSlice("v6e-0", "tpu-v6e-slice", "4x4", 4);
    node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    node.createContext(
        "/metrics",
        exchange -> {
          byte[] body = said.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    node.start();
    home = new ServerHome();
    server =
        home.start(
            "--kubeconfig",
            plane.kubeconfig().toString(),
            "--tpu-metrics-port",
            Integer.toString(node.getAddress().getPort()));
    caller = server.caller();
  }

  @AfterEach
  void end() throws Exception {
    server.close();
    node.stop(0);
    plane.clear();
    home.close();
  }

  @Test
  void aJobAndItsQueueShowHowMuchTheirChipsAreUsed() throws Exception {
    caller.post("/v1/apply", QUOTA).is(200);
    String id =
        caller.submit(
            """
            apiVersion: sluice.io/v1
            kind: Job
            metadata: {name: train, namespace: default}
            spec: {queue: tpu, image: 'python:3.11', accelerator: {type: v6e, topology: 4x4, slices: 1}}
            """);
    caller.awaitState(id, "RUNNING");
    List<JsonNode> pods = plane.list("pods", "sluice.io/job-id=" + id);
    StringBuilder metrics = new StringBuilder("# TYPE duty_cycle gauge\n");
    int number = 0;
    for (JsonNode pod : pods) {
      String name = pod.at("/metadata/name").asText();
      plane.kubectl(
          "patch",
          "pod",
          name,
          "--subresource=status",
          "--type=merge",
          "-p",
          "{\"status\": {\"hostIP\": \"127.0.0.1\", \"hostIPs\": [{\"ip\": \"127.0.0.1\"}]}}");
      for (int chip = 0; chip < 4; chip++) {
        String labels =
            "{accelerator_id=\"%d-%d\",namespace=\"default\",pod=\"%s\"}"
                .formatted(number, chip, name);
        metrics.append("duty_cycle").append(labels).append(number == 0 ? " 100\n" : " 60\n");
        metrics.append("memory_used").append(labels).append(" 1073741824\n");
      }
      number++;
    }
    said = metrics.toString();
    caller.await(
        "/v1/jobs/" + id,
        job ->
            job.at("/status/accelerators/chips").equals("16")
                && job.at("/status/accelerators/dutyCyclePercent").equals("70.0")
                && job.at("/status/accelerators/hbmUsedBytes").equals("17179869184"));
    caller.await(
        "/v1/clusterqueues/research",
        queue -> queue.at("/status/accelerators/dutyCyclePercent").equals("70.0"));
  }
}
