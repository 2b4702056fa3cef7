// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a server does that was given Kueue's Configuration. */
class ConfigurationIT {
  private static final String CONFIGURATION =
      """
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
      namespace: kueue-system
      waitForPodsReady:
        timeout: 7m
        blockAdmission: true
        requeuingStrategy: {backoffBaseSeconds: 1, backoffLimitCount: 1}
      resources:
        transformations:
        - {input: cpu, strategy: Retain, outputs: {example.com/credits: 2}}
      """;
  private static final String QUEUE =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: counted}
      spec:
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [cpu, example.com/credits]
          flavors:
          - name: cpu
            resources:
            - {name: cpu, nominalQuota: 100}
            - {name: example.com/credits, nominalQuota: 30}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: counted, namespace: team}
      spec: {clusterQueue: counted}
      """;

  private static OneServer server;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.configured(CONFIGURATION);
    caller = server.caller();
    caller.post("/v1/apply", QUEUE).is(200);
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  private static String job(String name, int cpu, String more) {
    return OneServer.job(name, cpu, "sleep 300").replace("queue: main,", "queue: counted, " + more);
  }

  private static Reply awaitBlocker(String id, String blocker) throws Exception {
    return caller.await(
        "/v1/jobs/" + id + "/explanation", reply -> reply.at("/blocker").equals(blocker));
  }

  /** The host has eight cores, so of more than that some wait for room while they are admitted. */
  @Test
  void nobodyIsAdmittedWhileAnotherHasNotStarted() throws Exception {
    String first = caller.submit(job("first", 6, ""));
    caller.awaitState(first, "RUNNING");
    assertThat(caller.get("/v1/jobs/" + first).at("/spec/startDeadline")).isEqualTo("7m");
    String second = caller.submit(job("second", 4, ""));
    caller.awaitState(second, "ADMITTED");
    String third = caller.submit(job("third", 1, ""));
    Reply waits = awaitBlocker(third, "WAITING_FOR_START");
    assertThat(waits.at("/inTheWay/first/0/name")).isEqualTo("second");
    assertThat(waits.at("/until")).isNotEmpty();
    assertThat(waits.at("/reason")).contains("second", "admission is blocked until then");
    caller.cancel(first);
    caller.awaitState(second, "RUNNING");
    caller.awaitState(third, "RUNNING");
    caller.cancel(second);
    caller.cancel(third);
  }

  @Test
  void aJobThatDoesNotStartIsRequeuedAsOftenAsItIsSaid() throws Exception {
    String first = caller.submit(job("fills", 8, ""));
    caller.awaitState(first, "RUNNING");
    String late = caller.submit(job("late", 1, "startDeadline: 1s,"));
    Reply failed = caller.awaitState(late, "FAILED");
    assertThat(failed.at("/status/attempts")).isEqualTo("2");
    assertThat(caller.get("/v1/jobs/" + late + "/events").each("/items", "kind"))
        .containsOnlyOnce("IndexRequeued");
    caller.cancel(first);
  }

  @Test
  void requestsCountAsTheConfigurationSays() throws Exception {
    String first = caller.submit(job("much", 8, ""));
    caller.awaitState(first, "RUNNING");
    String more = caller.submit(job("more", 8, ""));
    Reply waits = awaitBlocker(more, "QUOTA_IN_USE");
    assertThat(waits.at("/smallestChange/resource") + " " + waits.at("/smallestChange/amount"))
        .isEqualTo("example.com/credits 2");
    assertThat(caller.get("/v1/jobs/" + more).json().at("/spec/requests").toString())
        .isEqualTo("{\"cpu\":\"8\"}");
    String most = caller.submit(job("most", 16, ""));
    assertThat(awaitBlocker(most, "EXCEEDS_QUOTA").at("/reason")).contains("32", "credits");
    caller.cancel(most);
    caller.cancel(more);
    caller.cancel(first);
  }
}
