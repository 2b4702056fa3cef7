// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Programs in a cluster call with the tokens of their ServiceAccounts, and have bounded pods. */
@OnControlPlane
class ClusterTokensKubeIT {
  private static final String ACCOUNT = "system:serviceaccount:default:trainer";
  private static final String BINDING =
      """
      apiVersion: sluice.io/v1
      kind: RoleBinding
      metadata: {name: trainer}
      spec: {role: submitter, namespaces: [default], users: ["%s"]%s}
      """;
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: work, namespace: default, labels: {kueue.x-k8s.io/queue-name: main}}
      spec:
        template:
          spec:
            restartPolicy: Never
            %s
            containers: [{name: main, image: busybox, resources: {requests: {cpu: 1}}}]
      """;

  private static ControlPlane plane;
  private static ServerHome home;
  private static StartedServer server;
  private static Caller owner;

  @BeforeAll
  static void start() throws Exception {
    plane = ControlPlane.shared();
    plane.clear();
    plane.addNode("cpu-0", "");
    plane.kubectl("create", "serviceaccount", "trainer", "-n", "default");
    home = new ServerHome();
    server =
        home.start(
            "--kubeconfig", plane.kubeconfig().toString(), "--cluster-token-audience", "sluice");
    owner = server.caller();
    owner.post("/v1/apply", ClusterQuota.of("research").cpus(0).localQueue("main").yaml()).is(200);
  }

  @AfterAll
  static void end() throws Exception {
    owner.cancelAll();
    server.close();
    home.close();
    plane.kubectl("delete", "serviceaccount", "trainer", "-n", "default", "--ignore-not-found");
    plane.clear();
  }

  private static Caller withToken(String audience) throws Exception {
    return owner.as(
        plane
            .kubectl("create", "token", "trainer", "-n", "default", "--audience", audience)
            .strip());
  }

  private static void bind(String more) throws Exception {
    owner.post("/v1/apply", BINDING.formatted(ACCOUNT, more)).is(200);
  }

  @Test
  void anAccountHasItsNameAndTheRolesOfItsBindings() throws Exception {
    Caller trainer = withToken("sluice");
    assertThat(trainer.get("/v1/whoami").is(200).at("/name")).isEqualTo(ACCOUNT);
    assertThat(trainer.get("/v1/whoami").text()).contains("system:serviceaccounts:default");
    bind("");
    trainer.await("/v1/jobs?namespace=default", reply -> reply.status() == 200);
    trainer.post("/v1/apply", JOB.formatted("")).is(200);
  }

  @Test
  void podsHaveTheBoundsOfTheirSubmitter() throws Exception {
    Caller trainer = withToken("sluice");
    bind("");
    trainer.await("/v1/jobs?namespace=default", reply -> reply.status() == 200);
    assertThat(trainer.post("/v1/apply", JOB.formatted("hostNetwork: true")).is(422).text())
        .contains("spec.template.spec.hostNetwork", "privilege");
    String other = JOB.formatted("serviceAccountName: deployer");
    assertThat(trainer.post("/v1/apply", other).is(422).text()).contains("no service account");
    owner.post("/v1/apply", other).is(200);
    bind(", pods: {serviceAccounts: [deployer]}");
    Instant deadline = Instant.now().plus(StartedServer.PATIENCE);
    while (trainer.post("/v1/apply?dryRun=true", other).status() != 200) {
      assertThat(Instant.now()).as("the rules take effect").isBefore(deadline);
      Thread.sleep(100);
    }
    trainer.post("/v1/apply", JOB.formatted("hostPID: true")).is(422);
  }

  @Test
  void tokensForOthersAndForgedOnesAreRefusedWithAReason() throws Exception {
    assertThat(withToken("vault").get("/v1/whoami").is(401).text())
        .contains("token of the cluster is refused", "sluice");
    String claims = "{\"kubernetes.io\":{},\"sub\":\"%s\",\"aud\":[\"sluice\"]}".formatted(ACCOUNT);
    String forged =
        "eyJhbGciOiJub25lIn0."
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(claims.getBytes(StandardCharsets.UTF_8))
            + ".c2ln";
    assertThat(owner.as(forged).get("/v1/whoami").is(401).text())
        .contains("token of the cluster is refused");
  }
}
