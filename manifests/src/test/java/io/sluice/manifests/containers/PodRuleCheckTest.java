// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.queuemodel.quota.policy.PodRules;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a submitter's pods may use of a cluster. */
class PodRuleCheckTest {
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: train
        namespace: vision
        labels: {kueue.x-k8s.io/queue-name: main, hostNetwork: "true"}
      spec:
        template:
          spec:
            containers:
            - {name: main, image: busybox, command: ["true"]%s}
            restartPolicy: Never
      %s
      """;

  private static List<String> violations(PodRules rules, String ofContainer, String ofPod) {
    String manifest =
        JOB.formatted(
            ofContainer.isEmpty() ? "" : ", " + ofContainer,
            ofPod.isEmpty() ? "" : "      " + ofPod);
    return PodRuleCheck.of(ForeignReader.readAll(manifest).get(0), rules, 1).stream()
        .map(Violation::toString)
        .toList();
  }

  @Test
  void anOrdinaryJobIsAllowed() {
    assertThat(
            violations(
                PodRules.BASELINE,
                "securityContext: {privileged: false, capabilities: {add: [CHOWN], drop: [ALL]}},"
                    + " ports: [{containerPort: 80}], readinessProbe: {httpGet: {port: 80}}",
                "serviceAccountName: default\n      hostNetwork: false"
                    + "\n      volumes: [{name: a, emptyDir: {}}]"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "securityContext: {privileged: true}||securityContext.privileged \"true\"",
        "securityContext: {privileged: \"True\"}||securityContext.privileged",
        "securityContext: {capabilities: {add: [SYS_ADMIN]}}||capabilities.add[0] \"SYS_ADMIN\"",
        "securityContext: {capabilities: {add: [ALL]}}||capabilities.add[0]",
        "securityContext: {procMount: Unmasked}||procMount",
        "securityContext: {seccompProfile: {type: Unconfined}}||seccompProfile",
        "securityContext: {appArmorProfile: {type: Unconfined}}||appArmorProfile",
        "securityContext: {seLinuxOptions: {type: spc_t}}||seLinuxOptions",
        "securityContext: {windowsOptions: {hostProcess: true}}||windowsOptions.hostProcess",
        "'ports: [{containerPort: 80, hostPort: 80}]'||ports[0].hostPort",
        "'readinessProbe: {httpGet: {port: 80, host: 10.0.0.1}}'||readinessProbe.httpGet",
        "|hostNetwork: true|spec.template.spec.hostNetwork \"true\"",
        "|hostPID: true|hostPID",
        "|hostIPC: true|hostIPC",
        "|'volumes: [{name: a, hostPath: {path: /}}]'|volumes[0].hostPath",
        "|'securityContext: {sysctls: [{name: kernel.msgmax, value: \"1\"}]}'|sysctls[0]",
        "|priorityClassName: system-node-critical|priorityClassName",
        "|nodeName: node-1|nodeName",
      })
  void privilegesAreRefusedUnlessTheyAreGiven(String container, String pod, String named) {
    String ofContainer = container == null ? "" : container;
    String ofPod = pod == null ? "" : pod;
    assertThat(violations(PodRules.BASELINE, ofContainer, ofPod))
        .singleElement()
        .asString()
        .contains(named, "privilege");
    assertThat(violations(new PodRules(true, List.of(), List.of()), ofContainer, ofPod)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"serviceAccountName: deployer", "serviceAccount: deployer"})
  void otherServiceAccountsAreRefusedUnlessTheyAreNamed(String pod) {
    assertThat(violations(PodRules.BASELINE, "", pod))
        .singleElement()
        .asString()
        .contains("\"deployer\": is no service account that the rules");
    assertThat(violations(new PodRules(false, List.of("deployer"), List.of()), "", pod)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'env: [{name: A, valueFrom: {secretKeyRef: {name: keys, key: a}}}]'|",
        "'envFrom: [{secretRef: {name: keys}}]'|",
        "|'volumes: [{name: a, secret: {secretName: keys}}]'",
        "|'volumes: [{name: a, projected: {sources: [{secret: {name: keys}}]}}]'",
        "|'volumes: [{name: a, csi: {driver: x, nodePublishSecretRef: {name: keys}}}]'",
        "|'imagePullSecrets: [{name: keys}]'",
      })
  void secretsAreRefusedUnlessTheyAreNamed(String container, String pod) {
    String ofContainer = container == null ? "" : container;
    String ofPod = pod == null ? "" : pod;
    for (String other : List.of("", "other")) {
      assertThat(
              violations(
                  new PodRules(false, List.of(), other.isEmpty() ? List.of() : List.of(other)),
                  ofContainer,
                  ofPod))
          .singleElement()
          .asString()
          .contains("\"keys\": is no secret that the rules");
    }
    for (String named : List.of("keys", "*")) {
      assertThat(violations(new PodRules(false, List.of(), List.of(named)), ofContainer, ofPod))
          .isEmpty();
    }
  }

  @Test
  void fieldsBesideThePodTemplatesAreReadToo() {
    String ray =
        """
        apiVersion: ray.io/v1
        kind: RayJob
        metadata: {name: r, namespace: vision, labels: {kueue.x-k8s.io/queue-name: main}}
        spec:
          entrypoint: python a.py
          shutdownAfterJobFinishes: true
          submitterPodTemplate:
            spec:
              serviceAccountName: deployer
              restartPolicy: Never
              containers: [{name: s, image: ray}]
          rayClusterSpec:
            gcsFaultToleranceOptions:
              redisPassword: {valueFrom: {secretKeyRef: {name: redis, key: password}}}
            headGroupSpec:
              rayStartParams: {}
              template: {spec: {containers: [{name: h, image: ray}]}}
        """;
    assertThat(PodRuleCheck.of(ForeignReader.readAll(ray).get(0), PodRules.BASELINE, 3))
        .extracting(Violation::toString)
        .satisfiesExactlyInAnyOrder(
            one ->
                assertThat(one)
                    .startsWith("document 3, spec.submitterPodTemplate.spec.serviceAccountName"),
            one -> assertThat(one).contains("redisPassword.valueFrom.secretKeyRef.name \"redis\""));
  }

  @Test
  void aSpecNamesSecretsOnly() {
    String job =
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: train, namespace: vision}
        spec:
          queue: main
          image: busybox
          env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: hf, key: token}}}]
        """;
    assertThat(PodRuleCheck.of(ManifestReader.readJob(job), PodRules.BASELINE, 1))
        .singleElement()
        .asString()
        .contains("spec.env[TOKEN].valueFrom.secretKeyRef.name \"hf\": is no secret");
    assertThat(
            PodRuleCheck.of(
                ManifestReader.readJob(job), new PodRules(false, List.of(), List.of("hf")), 1))
        .isEmpty();
  }
}
