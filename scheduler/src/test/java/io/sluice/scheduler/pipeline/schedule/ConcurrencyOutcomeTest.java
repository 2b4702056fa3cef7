// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.pipeline.Schedule.Concurrency;
import io.sluice.scheduler.pipeline.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What becomes of fires that meet runs. */
class ConcurrencyOutcomeTest {
  private static List<Instant> times(int count) {
    Instant first = Instant.parse("2026-11-21T10:00:00Z");
    return IntStream.range(0, count).mapToObj(minute -> first.plusSeconds(60L * minute)).toList();
  }

  private static List<RunState> states(Concurrency policy, int fires, int live) {
    return ConcurrencyOutcome.of(policy, times(fires), live).fires().stream()
        .map(ConcurrencyOutcome.Fire::state)
        .toList();
  }

  @Test
  void allowedRunsRunBesideEachOther() {
    assertThat(states(Concurrency.ALLOW, 2, 3)).containsExactly(RunState.RUNNING, RunState.RUNNING);
  }

  @Test
  void forbiddenOnesArePassedOverWithTheReason() {
    assertThat(states(Concurrency.FORBID, 2, 0))
        .containsExactly(RunState.RUNNING, RunState.SKIPPED);
    assertThat(ConcurrencyOutcome.of(Concurrency.FORBID, times(1), 1).fires().get(0).reason())
        .isEqualTo("concurrencyPolicy Forbid: another run goes on");
  }

  @Test
  void queuedOnesWaitUpToABound() {
    assertThat(states(Concurrency.QUEUE, 2, 0)).containsExactly(RunState.RUNNING, RunState.QUEUED);
    assertThat(states(Concurrency.QUEUE, 2, ConcurrencyOutcome.WAITING_MAX))
        .containsExactly(RunState.QUEUED, RunState.SKIPPED);
  }

  @Test
  void theLastOneReplacesWhatThereIs() {
    ConcurrencyOutcome meeting = ConcurrencyOutcome.of(Concurrency.REPLACE, times(3), 1);
    assertThat(meeting.replaces()).isTrue();
    assertThat(states(Concurrency.REPLACE, 3, 1))
        .containsExactly(RunState.SKIPPED, RunState.SKIPPED, RunState.QUEUED);
    assertThat(states(Concurrency.REPLACE, 1, 0)).containsExactly(RunState.RUNNING);
    assertThat(ConcurrencyOutcome.of(Concurrency.REPLACE, times(1), 0).replaces()).isFalse();
    assertThat(ConcurrencyOutcome.of(Concurrency.REPLACE, times(0), 1).replaces()).isFalse();
  }
}
