// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.manifests.document.Manifest;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.restmodel.quota.QueueStatus;
import io.sluice.scheduler.store.quota.StoredObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A quota object in an answer is its manifest with a few fields more. */
class QuotaAnswersTest {
  private static final Instant CREATED = Instant.parse("2026-11-23T10:00:00.120Z");
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  private static final String OF_EACH_KIND =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Topology
      metadata: {name: default}
      spec: {levels: [{nodeLabel: cloud.google.com/gce-topology-block}]}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: v6e, labels: {team: one, area: two}, annotations: {note: "of a rack"}}
      spec:
        nodeLabels: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Cohort
      metadata: {name: lab}
      spec: {fairSharing: {weight: "0.75"}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        cohortName: lab
        namespaceSelector: {}
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors:
          - name: v6e
            resources: [{name: google.com/tpu, nominalQuota: 32}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: research}
      spec: {clusterQueue: research}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: low}
      value: -10
      description: fills what is idle
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: high}
      value: 1000
      ---
      apiVersion: cloud.google.com/v1
      kind: ComputeClass
      metadata:
        name: cost-optimized
        annotations:
          sluice.io/rungs: '[{"deadline": "1m"}, {}]'
      spec:
        priorities:
        - tpu: {type: tpu-v6e-slice, count: 4, topology: 4x4}
          spot: true
        - tpu: {type: tpu-v6e-slice, count: 4, topology: 4x4}
        whenUnsatisfiable: DoNotScaleUp
      ---
      apiVersion: sluice.io/v1
      kind: Booking
      metadata: {name: release}
      spec:
        clusterQueue: research
        from: 2027-01-31T08:00:00Z
        until: 2027-02-01T08:00:00Z
        quota: [{flavor: v6e, amounts: {google.com/tpu: 16}}]
        slices: [s1]
      ---
      apiVersion: sluice.io/v1
      kind: Outage
      metadata: {name: repair}
      spec:
        from: 2027-01-31T08:00:00+01:00
        until: 2027-01-31T12:00:00+01:00
        quota: [{flavor: v6e}]
        hosts: [h1]
      ---
      apiVersion: sluice.io/v1
      kind: Team
      metadata: {name: vision}
      spec:
        namespaces: [vision]
        cohort: lab
        members: [{user: ann, role: administrator}]
        ceilings: {priority: 100}
      ---
      apiVersion: sluice.io/v1
      kind: RoleBinding
      metadata: {name: on-call}
      spec: {role: operator, namespaces: ["*"], groups: [sre], priorityCeiling: 50}
      """;

  private static List<QuotaObject> objects() {
    List<QuotaObject> objects = new ArrayList<>();
    for (Manifest manifest : ManifestReader.readAll(OF_EACH_KIND)) {
      objects.add(((Manifest.QuotaManifest) manifest).object());
    }
    return objects;
  }

  @Test
  void noFieldOfAManifestIsLeftOutOrMoved() throws Exception {
    Set<ObjectKind> seen = EnumSet.noneOf(ObjectKind.class);
    for (QuotaObject object : objects()) {
      StoredObject stored = new StoredObject(object, 3, CREATED, CREATED.plusSeconds(1));
      ObjectNode expected = ManifestWriter.toJson(object);
      ((ObjectNode) expected.get("metadata"))
          .put("generation", 3)
          .put("creationTimestamp", "2026-11-23T10:00:00.120Z");
      assertThat(MAPPER.writeValueAsString(QuotaAnswers.withStatus(stored, null)))
          .isEqualTo(expected.toString());
      seen.add(object.kind());
    }
    assertThat(seen).containsExactlyInAnyOrder(ObjectKind.values());
  }

  @Test
  void theStatusOfAQueueFollowsItsManifest() throws Exception {
    StoredObject queue =
        objects().stream()
            .filter(object -> object.kind() == ObjectKind.LOCAL_QUEUE)
            .map(object -> new StoredObject(object, 1, CREATED, CREATED))
            .findFirst()
            .orElseThrow();
    QueueStatus status =
        new QueueStatus(
            2L,
            0,
            null,
            null,
            new QueueStatus.LocalQueueFairSharing(
                new QueueStatus.DecayedUsage(Map.of("google.com/tpu", "1.5"), CREATED)));
    assertThat(MAPPER.writeValueAsString(QuotaAnswers.withStatus(queue, status)))
        .endsWith(
            """
            ,"status":{"pendingWorkloads":2,"admittedWorkloads":0,"fairSharing":\
            {"admissionFairSharingStatus":{"consumedResources":{"google.com/tpu":"1.5"},\
            "lastUpdate":"2026-11-23T10:00:00.120Z"}}}}""");
  }

  @Test
  void theStatusOfAQueueThatTheViewDoesNotHaveYetIsEmpty() throws Exception {
    assertThat(MAPPER.writeValueAsString(new QueueStatus(null, null, null, null, null)))
        .isEqualTo("{}");
  }
}
