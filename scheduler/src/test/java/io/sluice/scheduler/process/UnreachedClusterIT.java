// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nothing is admitted to a cluster that never answered, its jobs say so, and the log does once. */
class UnreachedClusterIT {
  private static final int TRIES = 40;

  /** An address that cuts each connection: no request is ever answered. */
  private static final class DeadApiServer implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final CountDownLatch tries = new CountDownLatch(TRIES);

    DeadApiServer() throws IOException {
      Thread cutting = new Thread(this::cut, "dead-api-server");
      cutting.setDaemon(true);
      cutting.start();
    }

    private void cut() {
      while (!socket.isClosed()) {
        try {
          socket.accept().close();
          tries.countDown();
        } catch (IOException closed) {
          return;
        }
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void nothingIsAdmittedToAClusterThatNeverAnsweredAndTheLogSaysItOnce() throws Exception {
    try (DeadApiServer dead = new DeadApiServer();
        ServerHome home = new ServerHome()) {
      home.file(
          "--kubeconfig",
          "clusters.yaml",
          """
          apiVersion: v1
          kind: Config
          clusters: [{name: far, cluster: {server: 'http://127.0.0.1:%d'}}]
          users: [{name: far, user: {token: x}}]
          contexts: [{name: far, context: {cluster: far, user: far}}]
          current-context: far
          """
              .formatted(dead.socket.getLocalPort()));
      try (StartedServer server = home.start()) {
        Caller caller = server.caller();
        caller.post("/v1/apply", ClusterQuota.CPUS).is(200);
        String id =
            caller.submit(
                """
                apiVersion: sluice.io/v1
                kind: Job
                metadata: {name: waits, namespace: default}
                spec: {queue: main, image: x, requests: {cpu: 1}}
                """);
        caller.await(
            "/v1/jobs/" + id, job -> job.at("/status/blocker").equals("CLUSTER_NOT_REACHED"));
        assertThat(caller.get("/v1/jobs/" + id + "/explanation").at("/reason"))
            .contains("flavor cpu", "has never been reached");
        assertThat(dead.tries.await(StartedServer.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(caller.get("/v1/jobs/" + id).at("/status/state")).isEqualTo("PENDING");
      }
      Path log = home.data().resolve("log/server.log");
      List<String> troubles;
      try (var lines = Files.lines(log)) {
        troubles = lines.filter(line -> line.matches("\\S+ +(WARN|ERROR) .*")).toList();
      }
      assertThat(troubles).filteredOn(line -> line.contains("far does not answer")).hasSize(1);
      assertThat(troubles).hasSizeBetween(1, 5);
    }
  }
}
