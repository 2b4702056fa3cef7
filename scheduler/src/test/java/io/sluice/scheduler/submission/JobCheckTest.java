// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quantity.ResourceTransformation;
import io.sluice.queuemodel.quantity.ResourceTransformations;
import io.sluice.queuemodel.quota.ClassDefaults;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is said of a job that names a compute class. */
class JobCheckTest {
  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: spot}
      spec: {nodeLabels: {cloud.google.com/gke-spot: "true"}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: slices}
      spec:
        resourceGroups:
        - coveredResources: [google.com/tpu]
          flavors: [{name: spot, resources: [{name: google.com/tpu, nominalQuota: 32}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: team}
      spec: {clusterQueue: slices}
      """;

  private static String ladder(String name, String spec) {
    return """
    ---
    apiVersion: cloud.google.com/v1
    kind: ComputeClass
    metadata: {name: %s}
    spec: %s
    """
        .formatted(name, spec);
  }

  private static Map<ObjectKey, QuotaObject> objects(String... ladders) {
    Map<ObjectKey, QuotaObject> objects = new TreeMap<>();
    for (Manifest manifest : ManifestReader.readAll(QUOTA + String.join("", ladders))) {
      QuotaObject object = ((Manifest.QuotaManifest) manifest).object();
      objects.put(object.key(), object);
    }
    return objects;
  }

  private static JobSpec job(String computeClass) {
    return ManifestReader.readJob(
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: train, namespace: team}
        spec:
          queue: main
          computeClass: %s
          accelerator: {type: v6e, topology: 4x4}
          command: ["true"]
        """
            .formatted(computeClass));
  }

  private static FilledJob filled(String computeClass) {
    return new FilledJob(job(computeClass), ClassDefaults.NONE);
  }

  private static Fleet fleet() {
    return ManifestReader.readFleet(
        """
        apiVersion: sluice.io/v1
        kind: Fleet
        spec:
          executor: local
          slices: [{name: s, count: 2, type: v6e, topology: 4x4, capacityType: %s}]
        """
            .formatted(CapacityType.SPOT.word()));
  }

  private static List<Violation> violations(String computeClass, String... ladders) {
    return new JobCheck(JobCheckTest::fleet).violations(1, filled(computeClass), objects(ladders));
  }

  @Test
  void aClassWithARungForTheQueueServes() {
    assertThat(violations("cheap", ladder("cheap", "{priorities: [{spot: true}]}"))).isEmpty();
  }

  @Test
  void aClassThatIsNotThereIsRefused() {
    assertThat(violations("cheap"))
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.path()).isEqualTo("spec.computeClass");
              assertThat(violation.message()).isEqualTo("there is no such ComputeClass");
            });
  }

  @Test
  void aClassOfWhichNoRungMeansAFlavorOfTheQueueIsRefusedUnlessItTakesAnything() {
    String rungs = "priorities: [{flexStart: {enabled: true}}]";
    assertThat(violations("flex", ladder("flex", "{" + rungs + "}")))
        .singleElement()
        .satisfies(
            violation ->
                assertThat(violation.message())
                    .isEqualTo(
                        "has no rung for this job that means a flavor of ClusterQueue slices"));
    assertThat(
            violations("any", ladder("any", "{" + rungs + ", whenUnsatisfiable: ScaleUpAnyway}")))
        .isEmpty();
  }

  private static List<Violation> violationsOf(String selectors) {
    JobSpec job =
        ManifestReader.readJob(
            """
            apiVersion: sluice.io/v1
            kind: Job
            metadata: {name: train, namespace: team}
            spec:
              queue: main
              accelerator: {type: v6e, topology: 4x4}
              command: ["true"]
              selectors: %s
            """
                .formatted(selectors));
    return new JobCheck(JobCheckTest::fleet)
        .violations(1, new FilledJob(job, ClassDefaults.NONE), objects());
  }

  @Test
  void selectorsThatNoFlavorOfTheQueueMeetsAreRefused() {
    assertThat(violationsOf("[{capacityType: reservation}, {capacityType: [flex-start]}]"))
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.path()).isEqualTo("spec.selectors");
              assertThat(violation.message())
                  .isEqualTo("no flavor of ClusterQueue slices meets any of the alternatives");
            });
    assertThat(violationsOf("[{capacityType: reservation}, {capacityType: spot}]")).isEmpty();
    assertThat(violationsOf("[{rack: r1}]")).isEmpty();
  }

  @Test
  void theClassIsOneOfTheObjectsThatAJobNames() {
    assertThat(JobCheck.references(job("cheap")))
        .contains(ObjectKey.of(ObjectKind.COMPUTE_CLASS, "cheap"));
  }

  @Test
  void aJobThatCountsAsTooMuchToBeAddedUpIsRefused() {
    ResourceName credits = new ResourceName("example.com/credits");
    ResourceTransformation huge =
        new ResourceTransformation(
            ResourceName.TPU,
            true,
            null,
            new TreeMap<>(Map.of(credits, BigDecimal.valueOf(Long.MAX_VALUE / 8))));
    ResourceTransformations resources = new ResourceTransformations(List.of(), List.of(huge));
    FilledJob job = filled("cheap");
    Map<ObjectKey, QuotaObject> objects = objects(ladder("cheap", "{priorities: [{spot: true}]}"));
    assertThat(new JobCheck(JobCheckTest::fleet, resources, false).violations(1, job, objects))
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.path()).isEqualTo("spec.podSets");
              assertThat(violation.message()).contains("configuration", "too large");
            });
  }
}
