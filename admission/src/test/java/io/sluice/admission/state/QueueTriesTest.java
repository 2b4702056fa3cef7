// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.WorkloadBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A queue of which nothing more can come, and jobs that come into it or leave it. */
class QueueTriesTest {
  private final AdmissionState state = new AdmissionState();

  private void apply(Event event) {
    state.apply(event, Instant.EPOCH);
  }

  private void set(QuotaObject object) {
    apply(new Event.ObjectSet(object, 1));
  }

  private QueueState queue(QueueingStrategy strategy) {
    set(new ResourceFlavor(ObjectMeta.named("any"), Labels.NONE, List.of(), List.of()));
    set(
        ClusterQueueBuilder.named("q")
            .nominal("any", ResourceName.CPU, 4)
            .policies(policies -> policies.withQueueingStrategy(strategy))
            .build());
    set(new LocalQueue(ObjectMeta.named("default", "q"), "q", StopPolicy.NONE));
    return Objects.requireNonNull(state.queue("q"));
  }

  private Workload enqueue(int number, int priority, int cores) {
    Workload job =
        WorkloadBuilder.named("job", number)
            .queue("default", "q")
            .priority(priority, false)
            .requests(1, ResourceName.CPU, cores)
            .build();
    apply(new Event.JobEnqueued(job));
    return job;
  }

  /** Nobody in the queue has a prospect, which is not written down until it changes. */
  private void exhaust(QueueState queue) {
    assertThat(state.tries().nodes().get(queue.node())).isTrue();
    state.tries().exhaust(queue.node());
    assertThat(state.tries().nodes().get(queue.node())).isFalse();
  }

  private static @Nullable Workload head(QueueState queue) {
    JobEntry head = queue.head(Prospect.EVERYTHING);
    return head == null ? null : head.workload();
  }

  @Test
  void aJobThatComesInIsTriedAndThoseThatWerePassedOverAreNot() {
    QueueState queue = queue(QueueingStrategy.BEST_EFFORT_FIFO);
    Workload big = enqueue(1, 2, 5);
    enqueue(2, 0, 6);
    exhaust(queue);
    Workload small = enqueue(3, 1, 1);
    assertThat(head(queue)).isEqualTo(small);
    apply(new Event.JobFinished(small.id(), JobState.CANCELLED, ""));
    assertThat(head(queue)).isNull();
    state.tries().unparkAll();
    assertThat(head(queue)).isEqualTo(big);
  }

  @Test
  void aJobThatAsksForTheSameAsOneThatWasPassedOverIsNotTriedWhenThatLeaves() {
    QueueState queue = queue(QueueingStrategy.BEST_EFFORT_FIFO);
    Workload first = enqueue(1, 0, 5);
    Workload second = enqueue(2, 0, 5);
    exhaust(queue);
    apply(new Event.JobFinished(first.id(), JobState.CANCELLED, ""));
    assertThat(head(queue)).isNull();
    state.tries().unparkAll();
    assertThat(head(queue)).isEqualTo(second);
  }

  /** With StrictFIFO the first alone was looked at; those behind it were not. */
  @Test
  void aStrictQueueGoesOnWithTheNextWhenItsFirstLeaves() {
    QueueState queue = queue(QueueingStrategy.STRICT_FIFO);
    Workload first = enqueue(1, 1, 5);
    Workload second = enqueue(2, 0, 6);
    exhaust(queue);
    Workload third = enqueue(3, 0, 1);
    assertThat(head(queue)).isNull();
    apply(new Event.JobFinished(first.id(), JobState.CANCELLED, ""));
    assertThat(head(queue)).isEqualTo(second);
    apply(new Event.JobFinished(second.id(), JobState.CANCELLED, ""));
    assertThat(head(queue)).isEqualTo(third);
  }
}
