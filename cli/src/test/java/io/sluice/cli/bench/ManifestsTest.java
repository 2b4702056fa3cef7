// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.Manifest.FleetManifest;
import io.sluice.manifests.document.Manifest.QuotaManifest;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.WorkloadPriorityClass;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The objects and jobs of a load, as the server reads them. */
class ManifestsTest {
  private static List<QuotaObject> objects(Load load, boolean planned) {
    List<QuotaObject> objects = new ArrayList<>();
    for (byte[] body : QuotaManifests.bodies(load, planned)) {
      List<Manifest> manifests = ManifestReader.readAll(body);
      assertThat(manifests).hasSizeLessThanOrEqualTo(1_000);
      manifests.forEach(one -> objects.add(((QuotaManifest) one).object()));
    }
    return objects;
  }

  private static <T extends QuotaObject> List<T> only(List<QuotaObject> objects, Class<T> type) {
    return objects.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void eachQueueHasItsQuotaAndItsPolicies() {
    List<QuotaObject> objects = objects(Loads.tiny(), false);
    assertThat(objects.stream().map(object -> object.kind() + " " + object.meta().name()))
        .containsExactly(
            "ResourceFlavor tiny",
            "WorkloadPriorityClass tiny-small",
            "WorkloadPriorityClass tiny-large",
            "ClusterQueue tiny-q0",
            "LocalQueue tiny-q0",
            "ClusterQueue tiny-q1",
            "LocalQueue tiny-q1");
    ClusterQueue queue = only(objects, ClusterQueue.class).get(1);
    assertThat(queue.cohort()).isEqualTo("tiny-c0");
    assertThat(queue.policies().queueingStrategy()).isEqualTo(QueueingStrategy.BEST_EFFORT_FIFO);
    QueuePreemption preemption = queue.policies().preemption();
    assertThat(preemption.withinClusterQueue()).isEqualTo(PreemptionPolicy.LOWER_PRIORITY);
    assertThat(preemption.reclaimWithinCohort()).isEqualTo(PreemptionPolicy.ANY);
    assertThat(queue.policies().queueing().mode()).isEqualTo(Queueing.Mode.KUEUE);
    assertThat(queue.resourceGroups().toString()).contains("cpu", "4000");
    assertThat(only(objects, WorkloadPriorityClass.class).get(1).value()).isEqualTo(200);
    assertThat(only(objects, LocalQueue.class).get(0).meta().namespace()).isEqualTo("tiny");
  }

  @Test
  void plannedQueuesPreemptNothingOfTheirOwn() {
    ClusterQueue queue = only(objects(Loads.tiny(), true), ClusterQueue.class).get(0);
    QueuePreemption preemption = queue.policies().preemption();
    assertThat(queue.policies().queueing().mode()).isEqualTo(Queueing.Mode.PLANNED);
    assertThat(preemption.withinClusterQueue()).isEqualTo(PreemptionPolicy.NEVER);
    assertThat(preemption.reclaimWithinCohort()).isEqualTo(PreemptionPolicy.ANY);
  }

  @Test
  void aLargeLoadIsAppliedInParts() throws IOException {
    Load load = Loads.shared("large-scale.json");
    assertThat(QuotaManifests.bodies(load, false)).hasSize(4);
    List<QuotaObject> objects = objects(load, false);
    assertThat(only(objects, ClusterQueue.class)).hasSize(1_000);
    assertThat(only(objects, ClusterQueue.class).get(999).cohort()).isEqualTo("large-scale-c9");
    assertThat(objects.stream().map(QuotaObject::key)).doesNotHaveDuplicates();
  }

  private static JobSpec job(Arrival arrival, @Nullable BigDecimal factor) {
    byte[] text = new JobManifests(Loads.tiny(), factor).of(arrival);
    return ManifestReader.readJob(new String(text, StandardCharsets.UTF_8));
  }

  @Test
  void aJobHasItsQueueItsClassAndItsSimulatedRunTime() {
    JobSpec job = job(new Arrival(20, 1, 0, 2), null);
    assertThat(job.meta().name()).isEqualTo("tiny-small-2");
    assertThat(job.meta().namespace()).isEqualTo("tiny");
    assertThat(job.meta().annotations().get("sluice.io/simulated-run-time")).isEqualTo("PT0.02S");
    assertThat(job.queueing().queue()).isEqualTo("tiny-q1");
    assertThat(job.limits().timeLimit()).isNull();
    assertThat(job.toString()).contains("tiny-small", "cpu");
    assertThat(job(new Arrival(15, 0, 1, 1), null).toString()).contains("tiny-q0", "tiny-large");
  }

  @Test
  void aTimeLimitIsAMultipleOfTheRunTimeRoundedUp() {
    JobSpec exact = job(new Arrival(10, 0, 0, 1), BigDecimal.ONE);
    JobSpec longer = job(new Arrival(15, 0, 1, 1), new BigDecimal("1.25"));
    assertThat(exact.limits().timeLimit()).isEqualTo(Duration.ofMillis(20));
    assertThat(longer.limits().timeLimit()).isEqualTo(Duration.ofMillis(38));
  }

  @Test
  void theFleetOfAnOwnServerHoldsTheQuotaAndTheLargestWorkload() throws IOException {
    Load large = Loads.shared("large-scale.json");
    for (Load load : List.of(Loads.tiny(), large)) {
      Fleet fleet = ((FleetManifest) ManifestReader.readAll(OwnServer.fleet(load)).get(0)).fleet();
      assertThat(fleet.hosts()).hasSize(4);
    }
    assertThat(OwnServer.fleet(large)).contains("executor: simulated", "capacity: {cpu: 5000}");
    assertThat(OwnServer.fleet(Loads.tiny())).contains("capacity: {cpu: 4}");
  }
}
