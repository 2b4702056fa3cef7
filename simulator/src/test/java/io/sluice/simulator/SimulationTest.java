// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.fault.FaultRates;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** The real round, with everything going wrong now and then. */
class SimulationTest {
  private static final String FACTOR = "sluice.seeds.factor";
  private static final int SEEDS = 10;

  /** Fewer, because each round seeks all planned starts again. */
  private static final int PLANNED_SEEDS = 4;

  private static SortedMap<String, Long> keep(SimulationSetup setup, TestReporter reporter) {
    return keep(setup, SEEDS, reporter);
  }

  /** Runs the seeds from 1 on; what happened in all of them together. */
  private static SortedMap<String, Long> keep(
      SimulationSetup setup, int seeds, TestReporter reporter) {
    SortedMap<String, Long> total = new TreeMap<>();
    long last = (long) seeds * Integer.getInteger(FACTOR, 1);
    for (long seed = 1; seed <= last; seed++) {
      SimulationResult.Counts counts = Simulation.run(setup, seed).requireKept().counts();
      total.merge("runs", 1L, Long::sum);
      total.merge("batches", counts.batches(), Long::sum);
      total.merge("preemptions", counts.preemptions(), Long::sum);
      counts.inputs().forEach((kind, count) -> total.merge(kind, count, Long::sum));
      counts.events().forEach((kind, count) -> total.merge(kind, count, Long::sum));
      counts.faults().forEach((kind, count) -> total.merge(kind.name(), count, Long::sum));
    }
    reporter.publishEntry("total", total.toString());
    return total;
  }

  @Test
  void promisesHoldWhereProcessesOutliveTheirServer(TestReporter reporter) {
    SortedMap<String, Long> total = keep(RandomUsers.setup(), reporter);
    assertThat(total)
        .containsKeys(
            "SubmitJob", "CancelJob", "HoldJob", "ReleaseJob", "SetObject", "SetFleet", "Report")
        .containsKeys("JobHeld", "JobReleased", "Claimed", "IndexRequeued", "JobFinished")
        .containsKeys("AttemptResized", "GenerationSettled", "CheckpointReported");
    assertThat(total.get("preemptions")).isPositive();
  }

  @Test
  void promisesHoldWhereProcessesDieWithTheirServer(TestReporter reporter) {
    SortedMap<String, Long> total =
        keep(RandomUsers.setup().withProcessesOutliveServer(false), reporter);
    assertThat(total).containsKeys("CRASH_DURING_DISPATCH", "CRASH_AFTER_COMMIT");
  }

  @Test
  void promisesHoldWithPlannedStarts(TestReporter reporter) {
    SortedMap<String, Long> total = keep(RandomUsers.withPlannedQueues(), PLANNED_SEEDS, reporter);
    assertThat(total).containsKeys("StartPlanned", "PlanWithdrawn");
  }

  @Test
  void withoutFaultsNoneIsCounted() {
    SimulationSetup setup = RandomUsers.setup().withFaults(FaultRates.NONE);
    assertThat(Simulation.run(setup, 1).requireKept().counts().faults()).isEmpty();
  }

  /** Its first reading was taken for true, and fired deadlines that were far ahead. */
  @Test
  void aNewServerDoesNotBelieveAWrongClock() {
    SimulationSetup setup = RandomUsers.setup();
    Simulation.run(setup, 11).requireKept();
    Simulation.run(setup.withProcessesOutliveServer(false), 5).requireKept();
  }

  /** The clock was set ahead, and the reading that was to confirm it was wrong. */
  @Test
  void aWrongReadingConfirmsNoMoreThanTheJumpBeforeIt() {
    Simulation.run(RandomUsers.setup(), 1056).requireKept();
  }

  /** It was told that it would be admitted in the next round, round after round. */
  @Test
  void aJobBehindOneThatAsksForTheSameIsToldSo() {
    SimulationSetup setup = RandomUsers.setup();
    Simulation.run(setup, 5).requireKept();
    Simulation.run(setup.withProcessesOutliveServer(false), 2).requireKept();
  }

  /**
   * A head found no claim on the free slices that a planned start needs, and one on other slices a
   * microsecond later. A restored state claimed those, and the running server did not.
   */
  @Test
  void aClaimDoesNotBecomePossibleByTimeAlone() {
    Simulation.run(RandomUsers.withPlannedQueues(), 34).requireKept();
  }

  /**
   * A round came too late for the drain before a planned start. The running server drained for the
   * start, a restored state withdrew it.
   */
  @Test
  void aPlannedStartIsCheckedBeforeAnythingIsDrainedLateForIt() {
    Simulation.run(RandomUsers.withPlannedQueues(), 54).requireKept();
  }

  /** An attempt grew, and who waited for a drain would have had somebody evicted instead. */
  @Test
  void growthLeavesThoseWhoWaitForADrainWhereTheyAreToGo() {
    Simulation.run(RandomUsers.setup().withProcessesOutliveServer(false), 54).requireKept();
  }
}
