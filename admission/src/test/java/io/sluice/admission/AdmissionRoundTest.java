// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.IndexProgress;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.VirtualClock;
import io.sluice.testing.WorkloadBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AdmissionRoundTest {
  private static final Instant BEGIN = VirtualClock.BEGIN;

  /** Nothing comes in, and what is appended is kept. */
  private static final class QuietJournal implements Journal {
    private final List<Batch> appended = new ArrayList<>();

    @Override
    public List<Batch> takeCommitted() {
      return List.of();
    }

    @Override
    public List<Received> read(int max) {
      return List.of();
    }

    @Override
    public void append(Batch batch) {
      appended.add(batch);
    }
  }

  /** There is nothing to start. */
  private static final class QuietLauncher implements Launcher {
    @Override
    public void start(AttemptKey attempt, int generation) {}

    @Override
    public void stop(AttemptKey attempt, int generation, Duration gracePeriod) {}
  }

  /** A queue without room, and a job that may be tried again from a time on. */
  private static AdmissionState waiting(Instant notBefore) {
    TreeMap<Integer, IndexProgress> progress = new TreeMap<>();
    progress.put(0, new IndexProgress(1, 1, 0, notBefore));
    return AdmissionState.restore(
        new StateSnapshot(
            BEGIN,
            List.of(
                new ResourceFlavor(ObjectMeta.named("default"), Labels.NONE, List.of(), List.of()),
                ClusterQueueBuilder.named("q").nominal("default", ResourceName.CPU, 0).build(),
                new LocalQueue(ObjectMeta.named("default", "q"), "q", StopPolicy.NONE)),
            Fleet.EMPTY,
            List.of(
                new JobRecord(
                    WorkloadBuilder.named("job", 1)
                        .queue("default", "q")
                        .requests(1, ResourceName.CPU, 1000)
                        .build(),
                    JobState.PENDING,
                    IndexRanges.NONE,
                    IndexRanges.NONE,
                    new JobRecord.Asked(null, null),
                    "",
                    progress,
                    new TreeMap<>())),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of()));
  }

  /** The job has come back to its queue, though no event says so. */
  @Test
  void aRoundThatDecidesNothingIsNotGoneBehindEither() {
    Deque<Instant> readings =
        new ArrayDeque<>(Arrays.asList(BEGIN.plusSeconds(10), BEGIN.plusSeconds(5)));
    QuietJournal journal = new QuietJournal();
    AdmissionRound round =
        new AdmissionRound(
            waiting(BEGIN.plusSeconds(8)), 0, journal, new QuietLauncher(), readings::removeFirst);
    assertThat(round.step().now()).isEqualTo(BEGIN.plusSeconds(10));
    assertThat(journal.appended).isEmpty();
    assertThat(round.step().now()).isAfter(BEGIN.plusSeconds(10));
  }
}
