// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.Ranking;
import io.sluice.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Replays of small traces, by hand and compared with a scheduler that looks at everything. */
class ReplayTest {
  private static final int SEEDS = 16;

  /**
   * On 4 devices, 1 runs on 2 until second 10. Job 2 needs all 4; 3 fits beside 1 and ends by 10; 4
   * fits beside both and ends later.
   */
  private static final Trace FOUR =
      trace(job(1, 0, 10, 2, 10), job(2, 1, 5, 4, 5), job(3, 2, 8, 1, 8), job(4, 3, 20, 1, 20));

  private static Trace trace(TraceJob... jobs) {
    return new Trace(List.of(jobs));
  }

  private static TraceJob job(long id, long submit, long duration, int devices, long estimate) {
    return new TraceJob(id, submit, duration, devices, "", estimate);
  }

  private static long[] starts(Trace trace, int devices, ReplayPolicy policy) {
    return starts(trace, new ReplaySetup(devices, policy, Estimates.USER, false));
  }

  private static long[] starts(Trace trace, ReplaySetup setup) {
    ReplayOutcome outcome = Replay.run(trace, setup, ReplayWatcher.NONE);
    long[] starts = new long[trace.jobs().size()];
    for (int job = 0; job < starts.length; job++) {
      starts[job] = outcome.startSeconds(job);
    }
    return starts;
  }

  @Test
  void aBlockedJobBlocksTheOthersUnderFcfs() {
    assertThat(starts(FOUR, 4, ReplayPolicy.FCFS)).containsExactly(0, 10, 15, 15);
  }

  @Test
  void everyJobThatFitsStartsUnderBestEffort() {
    assertThat(starts(FOUR, 4, ReplayPolicy.BESTEFFORT)).containsExactly(0, 23, 2, 3);
  }

  @Test
  void noJobDelaysTheFirstBlockedOneUnderEasy() {
    assertThat(starts(FOUR, 4, ReplayPolicy.EASY)).containsExactly(0, 10, 2, 15);
  }

  @Test
  void equalRequestsAreToldApartByTheirLimits() {
    // 3 and 4 request the same; 3 would delay 2, 4 would not.
    Trace trace =
        trace(job(1, 0, 10, 3, 10), job(2, 1, 5, 4, 5), job(3, 2, 20, 1, 20), job(4, 2, 8, 1, 8));
    assertThat(starts(trace, 4, ReplayPolicy.EASY)).containsExactly(0, 10, 15, 2);
  }

  @Test
  void laterBlockedJobsAreKeptOnTimeOnlyUnderConservative() {
    // Beside 1, job 4 delays 3, which has a planned start only under conservative.
    Trace trace =
        trace(
            job(1, 0, 10, 2, 10), job(2, 1, 10, 3, 10), job(3, 2, 10, 4, 10), job(4, 3, 30, 1, 30));
    assertThat(starts(trace, 4, ReplayPolicy.EASY)).containsExactly(0, 10, 33, 3);
    assertThat(starts(trace, 4, ReplayPolicy.CONSERVATIVE)).containsExactly(0, 10, 20, 30);
  }

  @Test
  void plannedQueuesRankByLimitsUnlessTheWeightIsZero() {
    // When 1 ends, 2 has its planned start. Then the short 4 goes before 3, which came earlier.
    Trace trace =
        trace(job(1, 0, 10, 4, 10), job(2, 1, 10, 4, 10), job(3, 2, 50, 4, 50), job(4, 3, 5, 4, 5));
    assertThat(starts(trace, 4, ReplayPolicy.EASY)).containsExactly(0, 10, 20, 70);
    assertThat(starts(trace, 4, ReplayPolicy.PLANNED)).containsExactly(0, 10, 25, 20);
    Queueing byAge = Queueing.planned(1).withRanking(Ranking.BY_AGE);
    assertThat(
            starts(trace, new ReplaySetup(4, ReplayPolicy.PLANNED, Estimates.USER, false, byAge)))
        .containsExactly(0, 10, 20, 70);
    // At depth 2, job 3 has a planned start too, which 4 does not take.
    assertThat(
            starts(
                trace,
                new ReplaySetup(
                    4, ReplayPolicy.PLANNED, Estimates.USER, false, Queueing.planned(2))))
        .containsExactly(0, 10, 20, 70);
  }

  @Test
  void anEarlyEndMovesAPlannedStartToAnEarlierTime() {
    Trace trace = trace(job(1, 0, 10, 3, 100), job(2, 1, 5, 4, 5), job(3, 2, 50, 1, 50));
    ReplayOutcome outcome =
        Replay.run(
            trace, new ReplaySetup(4, ReplayPolicy.EASY, Estimates.USER, false), (e, n, s) -> {});
    assertThat(outcome.startSeconds(1)).isEqualTo(52);
    assertThat(outcome.promises().written()).isEqualTo(1);
    assertThat(outcome.promises().movedEarlier()).isEqualTo(1);
    assertThat(outcome.promises().movedLater()).isEmpty();
    assertThat(outcome.promises().startsAfterFirst()).isZero();
  }

  @Test
  void endsComeBeforeArrivalsOfTheSameSecondAndTiesGoById() {
    Trace trace = trace(job(12, 5, 1, 2, 1), job(9, 5, 1, 2, 1), job(1, 0, 5, 2, 5));
    assertThat(starts(trace, 2, ReplayPolicy.FCFS)).containsExactly(0, 5, 6);
    assertThat(trace.jobs()).extracting(TraceJob::id).containsExactly(1L, 9L, 12L);
  }

  @Test
  void aTeamMayBorrowBeyondItsShare() {
    Trace trace =
        trace(new TraceJob(1, 0, 10, 4, "speech", null), new TraceJob(2, 0, 10, 4, "vision", null));
    assertThat(ReplayQueues.shares(trace, 5))
        .containsEntry("speech", 3L)
        .containsEntry("vision", 2L);
    for (ReplayPolicy policy : ReplayPolicy.values()) {
      assertThat(starts(trace, new ReplaySetup(5, policy, Estimates.EXACT, true)))
          .as(policy.word())
          .containsExactlyInAnyOrder(0, 10);
    }
  }

  @Test
  void limitsFollowFromEstimatesAndNeverEndAJob() {
    TraceJob low = job(1, 0, 100, 1, 60);
    assertThat(Estimates.USER.limitSeconds(low)).isEqualTo(100);
    assertThat(Estimates.EXACT.limitSeconds(low)).isEqualTo(100);
    assertThat(new Estimates(Estimates.Kind.FACTOR, 2.55).limitSeconds(low)).isEqualTo(254);
    assertThat(Estimates.parse("x2.5")).isEqualTo(new Estimates(Estimates.Kind.FACTOR, 2.5));
    for (String wrong : List.of("", "x", "x0", "x-1", "x1e3", "x1001", "xNaN", "User")) {
      assertThat(Estimates.parse(wrong)).as(wrong).isNull();
    }
  }

  @Test
  void metricsAreThoseOfTheStarts() throws IOException {
    ReplayOutcome outcome =
        Replay.run(
            FOUR, new ReplaySetup(4, ReplayPolicy.FCFS, Estimates.USER, false), ReplayWatcher.NONE);
    ReplayMetrics metrics = outcome.metrics();
    // Waits 0, 9, 13, 12 of work 20, 20, 8, 20.
    assertThat(metrics.meanWait()).isEqualTo(8.5);
    assertThat(metrics.medianWait()).isEqualTo(12);
    assertThat(metrics.longestWait()).isEqualTo(13);
    assertThat(metrics.meanOfLongestWaits()).isEqualTo(8.5);
    assertThat(metrics.workWeightedWait())
        .isCloseTo((9 * 20 + 13 * 8 + 12 * 20) / 68.0, within(1e-9));
    assertThat(metrics.meanBoundedSlowdown()).isCloseTo((1 + 1.4 + 2.1 + 1.6) / 4, within(1e-9));
    assertThat(metrics.machine().makespan()).isEqualTo(35);
    assertThat(metrics.machine().utilization()).isCloseTo(68 / 140.0, within(1e-9));
    StringBuilder written = new StringBuilder();
    outcome.writeStarts(written);
    assertThat(written).hasToString("1,0\n2,10\n3,15\n4,15\n");
  }

  @Test
  void startsAreThoseOfTheNaiveSchedule() {
    Seeds.check(
        SEEDS,
        random -> {
          int devices = random.nextInt(1, 13);
          Trace trace = randomTrace(random, devices);
          for (ReplayPolicy policy :
              List.of(ReplayPolicy.FCFS, ReplayPolicy.BESTEFFORT, ReplayPolicy.EASY)) {
            assertThat(starts(trace, devices, policy))
                .as("%s on %d devices: %s", policy.word(), devices, trace.jobs())
                .isEqualTo(NaiveSchedule.starts(trace, devices, policy, Estimates.USER));
          }
        });
  }

  @Test
  void backfillDelaysNoPlannedStart() {
    Seeds.check(
        SEEDS,
        random -> {
          int devices = random.nextInt(1, 13);
          Trace trace = randomTrace(random, devices);
          for (ReplayPolicy policy :
              List.of(ReplayPolicy.EASY, ReplayPolicy.CONSERVATIVE, ReplayPolicy.PLANNED)) {
            assertThat(promises(trace, devices, policy, false).movedLater())
                .as("%s on %d devices: %s", policy.word(), devices, trace.jobs())
                .doesNotContainKey(PromiseCounts.BACKFILL);
          }
          assertThat(promises(trace, devices, ReplayPolicy.EASY, false).startsAfterFirst())
              .as("easy on %d devices: %s", devices, trace.jobs())
              .isZero();
        });
  }

  @Test
  void queuesOfTeamsStartEveryJobUnderEveryPolicy() {
    Seeds.check(
        SEEDS,
        random -> {
          int devices = random.nextInt(1, 13);
          Trace trace = randomTrace(random, devices);
          for (ReplayPolicy policy : ReplayPolicy.values()) {
            // A job that never starts is an exception.
            promises(trace, devices, policy, true);
          }
        });
  }

  private static PromiseCounts promises(
      Trace trace, int devices, ReplayPolicy policy, boolean teams) {
    return Replay.run(
            trace, new ReplaySetup(devices, policy, Estimates.USER, teams), ReplayWatcher.NONE)
        .promises();
  }

  private static Trace randomTrace(SplittableRandom random, int devices) {
    List<TraceJob> jobs = new ArrayList<>();
    int count = random.nextInt(1, 40);
    int span = random.nextInt(1, 60);
    for (int id = 1; id <= count; id++) {
      int duration = random.nextInt(1, 30);
      Long estimate = random.nextInt(4) == 0 ? null : (long) random.nextInt(1, 60);
      jobs.add(
          new TraceJob(
              id,
              random.nextInt(span),
              duration,
              random.nextInt(1, devices + 1),
              "team" + random.nextInt(3),
              estimate));
    }
    return new Trace(jobs);
  }
}
