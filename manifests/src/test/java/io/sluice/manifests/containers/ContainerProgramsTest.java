// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.containers.ContainerPrograms.Pod;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.queuemodel.job.PodTemplate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The programs of containers, and what keeps them from being run as processes. */
class ContainerProgramsTest {
  private static ForeignJob read(String text) {
    return ForeignReader.readAll(text).get(0);
  }

  private static List<String> refusals(String text) {
    return ContainerRefusals.of(read(text), 1).stream().map(Violation::toString).toList();
  }

  private static final String INDEXED =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: sort
        namespace: team
        labels: {kueue.x-k8s.io/queue-name: main}
      spec:
        completionMode: Indexed
        parallelism: 2
        completions: 2
        template:
          metadata: {labels: {part: "7"}}
          spec:
            subdomain: peers
            restartPolicy: Never
            volumes: [{name: scratch, emptyDir: {}}]
            containers:
            - name: main
              image: busybox
              workingDir: /srv
              command: [sort, --peer=sort-0.peers.team.svc:80, "$(PART)$$(PART)$(NONE)"]
              args: ["--self", "$(SELF)", "sort-0.peers.txt", "/sort-0/sort-0.peers."]
              env:
              - {name: PART, valueFrom: {fieldRef: {fieldPath: "metadata.labels['part']"}}}
              - {name: SELF, value: "$(PART)-$(JOB_COMPLETION_INDEX)"}
              - {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
              - {name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
              volumeMounts: [{name: scratch, mountPath: /tmp}]
      """;

  @Test
  void aPodOfAnIndexedJobKnowsItsIndexItsNameAndTheAddressesOfOthers() {
    List<PodTemplate> programs =
        new ContainerPrograms(read(INDEXED))
            .programs(List.of(new Pod("main", 0, "127.1.1.1"), new Pod("main", 1, "127.2.2.2")));
    PodTemplate second = programs.get(1);
    assertThat(refusals(INDEXED)).isEmpty();
    assertThat(second.environment().entries())
        .containsEntry("HOSTNAME", "sort-1")
        .containsEntry("JOB_COMPLETION_INDEX", "1")
        .containsEntry("SELF", "7-1")
        .containsEntry("IP", "127.2.2.2")
        .containsEntry("NAME", "sort-1");
    assertThat(second.command().subList(3, second.command().size()))
        .containsExactly(
            "sh",
            "/srv",
            "sort",
            "--peer=127.1.1.1:80",
            "7$(PART)$(NONE)",
            "--self",
            "7-1",
            "sort-0.peers.txt",
            "/sort-0/127.1.1.1.");
  }

  @Test
  void aPodOfAJobSetKnowsTheNamesThatItsControllerGives() {
    String text =
        """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata:
          name: train
          labels: {kueue.x-k8s.io/queue-name: main}
        spec:
          replicatedJobs:
          - name: workers
            replicas: 2
            template:
              spec:
                parallelism: 2
                completions: 2
                template:
                  spec:
                    containers:
                    - name: main
                      image: jax
                      command: [python, "-m", train, --coordinator=train-workers-0-0.train:1234]
                      env:
                      - name: JOB_INDEX
                        valueFrom:
                          fieldRef: {fieldPath: "metadata.annotations['jobset.sigs.k8s.io/job-index']"}
        """;
    assertThat(refusals(text)).isEmpty();
    List<PodTemplate> programs =
        new ContainerPrograms(read(text))
            .programs(
                List.of(new Pod("workers", 0, "127.0.9.9"), new Pod("workers", 3, "127.3.3.3")));
    PodTemplate last = programs.get(1);
    assertThat(last.command()).endsWith("--coordinator=127.0.9.9:1234");
    assertThat(last.environment().entries())
        .containsEntry("HOSTNAME", "train-workers-1-1")
        .containsEntry("JOB_COMPLETION_INDEX", "1")
        .containsEntry("JOB_INDEX", "1");
  }

  @Test
  void eachPodOfAGroupRunsItsOwnProgram() {
    String pod =
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          labels: {kueue.x-k8s.io/queue-name: main, kueue.x-k8s.io/pod-group-name: pair}
          annotations: {kueue.x-k8s.io/pod-group-total-count: "2"}
        spec:
          containers: [{name: main, image: busybox, command: [echo, %s]}]
        ---
        """;
    ForeignJob job = read(pod.formatted("one", "first") + pod.formatted("two", "second"));
    List<PodTemplate> programs =
        new ContainerPrograms(job)
            .programs(List.of(new Pod("main", 0, "127.1.1.1"), new Pod("main", 1, "127.2.2.2")));
    assertThat(programs.get(0).command()).containsExactly("echo", "first");
    assertThat(programs.get(1).command()).containsExactly("echo", "second");
  }

  @Test
  void everythingThatAProcessCannotHonourIsRefusedWithItsPath() {
    assertThat(
            refusals(
                """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: sort, labels: {kueue.x-k8s.io/queue-name: main}}
                spec:
                  parallelism: 2
                  completions: 5
                  successPolicy: {rules: [{succeededIndexes: "0"}]}
                  template:
                    spec:
                      initContainers: [{name: first, image: busybox}]
                      volumes: [{name: code, configMap: {name: code}}]
                      containers:
                      - name: main
                        image: busybox
                        envFrom: [{secretRef: {name: keys}}]
                        env:
                        - {name: KEY, valueFrom: {configMapKeyRef: {name: keys, key: one}}}
                        - {name: UID, valueFrom: {fieldRef: {fieldPath: metadata.uid}}}
                        volumeMounts: [{name: code, mountPath: /code}]
                """))
        .satisfiesExactly(
            one -> assertThat(one).startsWith("spec.completions \"5\": must be at most"),
            one -> assertThat(one).startsWith("spec.successPolicy: must not be there"),
            one -> assertThat(one).startsWith("spec.template.spec.initContainers: must not"),
            one -> assertThat(one).startsWith("spec.template.spec.containers[0].command: must be"),
            one -> assertThat(one).startsWith("spec.template.spec.containers[0].envFrom: must not"),
            one -> assertThat(one).contains("containers[0].env[0].valueFrom: must be a fieldRef"),
            one -> assertThat(one).contains("env[1].valueFrom.fieldRef.fieldPath \"metadata.uid\""),
            one -> assertThat(one).contains("volumeMounts[0].mountPath \"/code\": cannot be"));
  }

  @Test
  void aSecretStaysAReferenceAndIsNotPutIntoWords() {
    String manifest =
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: train, namespace: vision}
        spec:
          template:
            spec:
              containers:
              - name: main
                image: busybox
                command: [sh, -c, "%s"]
                env:
                - {name: TOKEN, valueFrom: {secretKeyRef: {name: hf, key: token}}}
        """;
    assertThat(refusals(manifest.formatted("curl -H $TOKEN"))).isEmpty();
    assertThat(refusals(manifest.formatted("curl -H $(TOKEN)")))
        .singleElement()
        .asString()
        .contains("env[0] \"$(TOKEN)\": is a secret, and stands in command");
  }

  @Test
  void kindsOfOtherControllersAreRefused() {
    assertThat(
            refusals(
                """
                apiVersion: ray.io/v1
                kind: RayCluster
                metadata: {name: ray, labels: {kueue.x-k8s.io/queue-name: main}}
                spec:
                  headGroupSpec:
                    template: {spec: {containers: [{name: head, image: ray}]}}
                """))
        .singleElement()
        .asString()
        .startsWith("kind \"RayCluster\": needs its controller");
  }

  @Test
  void jobsWithSlicesAndSidecarsAreRefused() {
    String job =
        """
          - name: %s
            template:
              spec:
                parallelism: %d
                completions: %d
                template:
                  spec:
                    nodeSelector: {%s}
                    containers:
                    - name: main
                      image: jax
                      command: ["true"]
                      resources: {limits: {google.com/tpu: %s}}
        """;
    assertThat(
            refusals(
                """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: train, labels: {kueue.x-k8s.io/queue-name: main}}
                spec:
                  startupPolicy: {startupPolicyOrder: InOrder}
                  replicatedJobs:
                """
                    + job.formatted(
                        "workers",
                        4,
                        4,
                        "cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice,"
                            + " cloud.google.com/gke-tpu-topology: 4x4",
                        "4")
                    + job.formatted("logs", 1, 1, "", "0")))
        .satisfiesExactly(
            one -> assertThat(one).startsWith("spec.startupPolicy.startupPolicyOrder"),
            one -> assertThat(one).startsWith("spec: must be of one kind of pods"));
  }
}
