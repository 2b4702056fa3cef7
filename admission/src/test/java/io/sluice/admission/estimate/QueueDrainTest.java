// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.estimate.DrainModel.QueueRule;
import io.sluice.admission.estimate.DrainModel.RunningAttempt;
import io.sluice.admission.estimate.DrainModel.WaitingJob;
import io.sluice.queuemodel.job.JobId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Scenarios by hand, with known run times. */
class QueueDrainTest {
  private static final double NEVER = DrainModel.NEVER;
  private static final JobKind KIND = new JobKind("queue", "team", "", "job", 1, 0);

  private final RoomCells room = new RoomCells();
  private final List<RunningAttempt> running = new ArrayList<>();
  private final List<WaitingJob> waiting = new ArrayList<>();
  private final List<Double> ends = new ArrayList<>();
  private final List<Double> runs = new ArrayList<>();

  private static Demand demand(int cell, long amount) {
    return new Demand(new int[] {cell}, new long[] {amount});
  }

  private void run(int cell, long amount, double end, double latestEnd) {
    running.add(new RunningAttempt(demand(cell, amount), KIND, 0, NEVER, latestEnd, 0));
    room.use(demand(cell, amount), 1);
    ends.add(end);
  }

  private void wait(QueueRule rule, int cell, long amount, double runs, double limit) {
    wait(rule, cell, amount, runs, limit, 1);
  }

  private void wait(
      QueueRule rule, int cell, long amount, double runSeconds, double limit, int copies) {
    waiting.add(
        new WaitingJob(
            new JobId(new UUID(0, waiting.size())),
            0,
            rule,
            List.of(demand(cell, amount)),
            waiting.size(),
            true,
            copies,
            KIND,
            limit,
            NEVER,
            0));
    runs.add(runSeconds);
  }

  private double[] starts() {
    DrainModel model = new DrainModel(room, running, waiting, 1, false);
    boolean[] all = new boolean[waiting.size()];
    Arrays.fill(all, true);
    QueueDrain.Scenario scenario =
        new QueueDrain.Scenario() {
          @Override
          public double runSeconds(int at) {
            return ends.get(at);
          }

          @Override
          public double waitingRunSeconds(int at) {
            return runs.get(at);
          }
        };
    return QueueDrain.starts(model, scenario, all, () -> true);
  }

  @Test
  void aStrictQueueStartsInOrder() {
    int cell = room.add(-1, 4, 0);
    run(cell, 2, 100, 200);
    wait(QueueRule.STRICT, cell, 4, 50, 60);
    wait(QueueRule.STRICT, cell, 1, 10, 20);
    assertThat(starts()).containsExactly(100, 150);
  }

  @Test
  void inAnUnplannedQueueWhatFitsStarts() {
    int cell = room.add(-1, 4, 0);
    run(cell, 2, 100, 200);
    wait(QueueRule.PASSED, cell, 4, 50, 60);
    wait(QueueRule.PASSED, cell, 1, 300, 400);
    assertThat(starts()).containsExactly(300, 0);
  }

  @Test
  void inAPlannedQueueNothingDelaysTheFirstBlockedJobByItsLimit() {
    int cell = room.add(-1, 4, 0);
    run(cell, 2, 100, 200);
    wait(QueueRule.PLANNED, cell, 4, 50, 60);
    wait(QueueRule.PLANNED, cell, 1, 10, 201);
    wait(QueueRule.PLANNED, cell, 1, 150, 200);
    // The third ends by the latest end of what runs; the second might not.
    assertThat(starts()).containsExactly(150, 200, 0);
  }

  @Test
  void whatFitsBesideTheFirstBlockedJobStarts() {
    int cell = room.add(-1, 5, 0);
    run(cell, 3, 100, 200);
    wait(QueueRule.PLANNED, cell, 4, 50, 60);
    wait(QueueRule.PLANNED, cell, 1, 1_000, 2_000);
    wait(QueueRule.PLANNED, cell, 1, 1_000, 2_000);
    assertThat(starts()).containsExactly(100, 0, 150);
  }

  @Test
  void whatBecomesFreeIsHeldForAJobWithoutADate() {
    int cell = room.add(-1, 4, 0);
    run(cell, 2, 100, NEVER);
    wait(QueueRule.PLANNED, cell, 4, 50, 60);
    wait(QueueRule.PLANNED, cell, 1, 10, 20);
    assertThat(starts()).containsExactly(100, 150);
  }

  @Test
  void aJobBehindAnAttemptThatNeverEndsDoesNotStart() {
    int cell = room.add(-1, 4, 0);
    run(cell, 2, NEVER, NEVER);
    wait(QueueRule.PASSED, cell, 4, 50, 60);
    wait(QueueRule.PASSED, cell, 2, 50, 60);
    assertThat(starts()).containsExactly(NEVER, 0);
  }

  @Test
  void usageBeyondTheLocalQuotaCountsInTheCohort() {
    int cohort = room.add(-1, 4, 0);
    int one = room.add(cohort, 8, 2);
    int other = room.add(cohort, 8, 0);
    run(other, 3, 100, 200);
    // 2 of its own and 1 of the cohort's.
    wait(QueueRule.PASSED, one, 3, 50, 60);
    wait(QueueRule.PASSED, one, 1, 50, 60);
    assertThat(starts()).containsExactly(0, 50);
  }

  @Test
  void theIndicesOfAnArrayTakeRoomOneByOne() {
    int cell = room.add(-1, 2, 0);
    wait(QueueRule.STRICT, cell, 1, 50, 60, 3);
    wait(QueueRule.STRICT, cell, 1, 50, 60);
    assertThat(starts()).containsExactly(0, 50);
  }

  @Test
  void anAttemptEndsByItsLatestEnd() {
    int cell = room.add(-1, 1, 0);
    run(cell, 1, 500, 200);
    wait(QueueRule.STRICT, cell, 1, 50, 60);
    assertThat(starts()).containsExactly(200);
  }
}
