// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.computeclasses.NodeLabels;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.ClassDefaults;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.policy.LabelSelector.Operator;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the annotation of a class says, and what it fills in of a job. */
class ClassDefaultsTest {
  private static final List<List<Requirement>> V6E =
      List.of(List.of(new Requirement(NodeLabels.TPU_TYPE, Operator.IN, List.of("tpu-v6e-slice"))));

  private static ComputeClass ladder(String defaults) {
    return (ComputeClass)
        ManifestReader.readQuotaObject(
            ObjectKind.COMPUTE_CLASS,
            """
            apiVersion: cloud.google.com/v1
            kind: ComputeClass
            metadata: {name: cheap, annotations: {sluice.io/defaults: '%s'}}
            spec: {priorities: [{spot: true}]}
            """
                .formatted(defaults));
  }

  private static JobSpec job(String said) {
    return ManifestReader.readJob(
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: train, namespace: team}
        spec: {computeClass: cheap, command: [./train]%s}
        """
            .formatted(said));
  }

  @Test
  void theAnnotationSaysQueuePriorityClassAndSelectors() {
    ComputeClass cheap =
        ladder("{queue: main, priorityClass: low, selectors: [{acceleratorType: v6e}]}");
    assertThat(cheap.defaults()).isEqualTo(new ClassDefaults("main", "low", V6E));
    assertThat(cheap.references())
        .containsExactly(ObjectKey.of(ObjectKind.WORKLOAD_PRIORITY_CLASS, "low"));
    assertThat(ladder("{}").defaults()).isEqualTo(ClassDefaults.NONE);
    assertThat(ladder("{queue: main}").references()).isEmpty();
  }

  @Test
  void whatAJobLeavesOutIsFilledIn() {
    ClassDefaults defaults = new ClassDefaults("main", "low", V6E);
    JobSpec left = job("");
    assertThat(left.queued()).isFalse();
    assertThat(left.leftOpen(defaults)).isEqualTo(defaults);
    assertThat(left.filled(defaults))
        .isEqualTo(job(", queue: main, priorityClass: low, selectors: [{acceleratorType: v6e}]"));
  }

  @Test
  void whatAJobSaysItselfWins() {
    ClassDefaults defaults = new ClassDefaults("main", "low", V6E);
    JobSpec own =
        job(", queue: own, priorityClass: high, preemptible: false, selectors: [{rack: r1}]");
    assertThat(own.leftOpen(defaults)).isEqualTo(ClassDefaults.NONE);
    assertThat(own.filled(defaults)).isEqualTo(own);
    JobSpec half = job(", priorityClass: high, preemptible: true");
    assertThat(half.leftOpen(defaults)).isEqualTo(new ClassDefaults("main", null, V6E));
    assertThat(half.filled(defaults).priority()).isEqualTo(half.priority());
  }

  @Test
  void selectorsAreFilledInOfThePodSetsThatHaveNone() {
    JobSpec job =
        job(", podSets: [{name: head, selectors: [{rack: r1}]}, {name: worker, count: 2}]");
    JobSpec filled = job.filled(new ClassDefaults("main", null, V6E));
    assertThat(filled.podSets().get(0)).isEqualTo(job.podSets().get(0));
    assertThat(filled.podSets().get(1).template().affinity().alternatives()).isEqualTo(V6E);
    assertThat(filled.podSets().get(1).count()).isEqualTo(2);
  }

  @Test
  void aJobOfAClassWithoutDefaultsStaysAsItIs() {
    JobSpec left = job("");
    assertThat(left.filled(ClassDefaults.NONE)).isEqualTo(left);
    assertThat(left.filled(ClassDefaults.NONE).queued()).isFalse();
  }
}
