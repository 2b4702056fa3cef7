// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.restmodel.quota.PendingWorkloadsSummary.PendingWorkload;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.WorkloadBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A page far behind costs commits no more than the first. */
class QueueWalkTest {
  private static final int JOBS = 4_500;
  private static final List<EnginePolicy> POLICIES =
      List.of(
          EnginePolicy.DEFAULT,
          EnginePolicy.DEFAULT.withAdmissionFairSharing(
              new AdmissionFairSharing(
                  Duration.ofSeconds(15), Duration.ofSeconds(2), new TreeMap<>())));

  /** A queue of jobs of three shapes and two priorities, every fifteenth by another LocalQueue. */
  private static AdmissionState world(EnginePolicy policy) {
    List<JobRecord> jobs = new ArrayList<>();
    for (int number = 1; number <= JOBS; number++) {
      jobs.add(
          new JobRecord(
              WorkloadBuilder.named("job-" + number, number)
                  .queue("team", number % 15 == 0 ? "rare" : "main")
                  .priority(number % 2, false)
                  .requests(1, ResourceName.CPU, 1000L * (1 + number % 3))
                  .build(),
              JobState.PENDING,
              IndexRanges.NONE,
              IndexRanges.NONE,
              new JobRecord.Asked(null, null),
              "",
              new TreeMap<>(),
              new TreeMap<>()));
    }
    jobs.sort((one, other) -> one.workload().id().compareTo(other.workload().id()));
    return AdmissionState.restore(
        new StateSnapshot(
            Instant.EPOCH.plusSeconds(10_000),
            List.of(
                new ResourceFlavor(ObjectMeta.named("default"), Labels.NONE, List.of(), List.of()),
                ClusterQueueBuilder.named("q").nominal("default", ResourceName.CPU, 0).build(),
                new LocalQueue(ObjectMeta.named("team", "main"), "q", StopPolicy.NONE),
                new LocalQueue(ObjectMeta.named("team", "rare"), "q", StopPolicy.NONE)),
            Fleet.EMPTY,
            jobs,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of()),
        policy);
  }

  /** Counts questions, and the most places that one of them may come by. */
  private static final class Counting implements QueueWalk.View {
    private final AdmissionState state;
    private int questions;

    Counting(AdmissionState state) {
      this.state = state;
    }

    @Override
    public <R> CommittedView.Answer<R> ask(Function<AdmissionState, R> question) {
      questions++;
      return new CommittedView.Answer<>(question.apply(state), questions);
    }
  }

  private static List<String> expected(AdmissionState state) {
    List<String> ids = new ArrayList<>();
    Iterator<JobEntry> all = Objects.requireNonNull(state.queue("q")).waiting(null);
    while (all.hasNext()) {
      ids.add(all.next().id().toString());
    }
    return ids;
  }

  private static List<PendingWorkload> page(QueueWalk walk, @Nullable QueueKey localQueue) {
    return Objects.requireNonNull(
            walk.read(state -> state.queue("q"), localQueue), "the queue is there")
        .value();
  }

  @Test
  void aPageFarBehindIsReachedByManySmallQuestions() {
    for (EnginePolicy policy : POLICIES) {
      AdmissionState state = world(policy);
      List<String> expected = expected(state);
      assertThat(expected).hasSize(JOBS).doesNotHaveDuplicates();
      Counting view = new Counting(state);
      List<PendingWorkload> page = page(new QueueWalk(view, NamespaceScope.ALL, 4_400, 200), null);
      assertThat(page).hasSize(100);
      for (int at = 0; at < 100; at++) {
        assertThat(page.get(at).metadata().uid()).isEqualTo(expected.get(4_400 + at));
        assertThat(page.get(at).positionInClusterQueue()).isEqualTo(4_400 + at);
      }
      assertThat(view.questions).isEqualTo(1 + JOBS / QueueWalk.PLACES_MAX);
    }
  }

  @Test
  void jobsOfOneLocalQueueAreFoundAmongManyOthersByManySmallQuestions() {
    for (EnginePolicy policy : POLICIES) {
      Counting view = new Counting(world(policy));
      List<PendingWorkload> page =
          page(new QueueWalk(view, NamespaceScope.ALL, 0, JOBS), new QueueKey("team", "rare"));
      assertThat(page).hasSize(JOBS / 15);
      assertThat(page.get(299).positionInLocalQueue()).isEqualTo(299);
      assertThat(view.questions).isEqualTo(1 + JOBS / QueueWalk.PLACES_MAX);
    }
  }

  @Test
  void thereIsNoPageWithoutAQueue() {
    Counting view = new Counting(world(EnginePolicy.DEFAULT));
    assertThat(
            new QueueWalk(view, NamespaceScope.ALL, 0, 1).read(state -> state.queue("other"), null))
        .isNull();
  }
}
