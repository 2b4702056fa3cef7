// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.estimate.CalibrationReport;
import io.sluice.admission.estimate.StatedRange;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The starts that a replay estimates at each submission, on made traces. */
class StartEstimatesTest {
  private static final int DEVICES = 32;
  private static final int JOBS = 3_000;
  private static final int USERS = 8;
  private static final ReplaySetup EASY =
      new ReplaySetup(DEVICES, ReplayPolicy.EASY, Estimates.USER, false);

  /** Users who ask for more time than they need, each to another degree, on a busy machine. */
  private static Trace made(SplittableRandom random) {
    double[] shares = new double[USERS];
    for (int user = 0; user < USERS; user++) {
      shares[user] = 0.05 + 0.9 * random.nextDouble();
    }
    List<TraceJob> jobs = new ArrayList<>();
    long second = 0;
    for (int id = 1; id <= JOBS; id++) {
      second += (long) (-540 * Math.log(1 - random.nextDouble()));
      int user = random.nextInt(USERS);
      long estimate = 600L << random.nextInt(5);
      double share = Math.min(1, shares[user] * (0.4 + 1.2 * random.nextDouble()));
      int devices = 1 << random.nextInt(5);
      long duration = Math.max(1, (long) (estimate * share));
      jobs.add(new TraceJob(id, second, duration, devices, "u" + user, estimate));
    }
    return new Trace(jobs);
  }

  private static StartEstimates estimates(Trace trace, ReplaySetup setup) {
    StartEstimates estimates = new StartEstimates();
    Replay.run(trace, setup, estimates, ReplayWatcher.NONE);
    return estimates;
  }

  @Test
  void theStatedRangeHoldsItsShareAndIsNarrowerThanThatOfTheLastWaits() {
    Seeds.check(
        2,
        random -> {
          CalibrationReport report = estimates(made(random), EASY).accuracy().report();
          assertThat(report.count()).isGreaterThan(500);
          assertThat(report.inRange()).isBetween(0.72, 0.88);
          assertThat(report.classes())
              .allSatisfy(part -> assertThat(part.inRange()).isBetween(0.6, 0.95));
          assertThat(report.meanScore()).isLessThan(0.7 * report.baselineScore());
        });
  }

  @Test
  void estimatesChangeNoStart() {
    Trace trace = made(new SplittableRandom(7));
    ReplayOutcome without = Replay.run(trace, EASY, ReplayWatcher.NONE);
    ReplayOutcome with = Replay.runWithEstimates(trace, EASY, ReplayWatcher.NONE);
    assertThat(without.accuracy()).isNull();
    for (int job = 0; job < trace.jobs().size(); job++) {
      assertThat(with.startSeconds(job)).isEqualTo(without.startSeconds(job));
    }
  }

  @Test
  void aRangeUsesNothingOfTheFuture() {
    Trace trace = made(new SplittableRandom(3));
    int seen = JOBS / 2;
    long now = trace.jobs().get(seen).submitSeconds();
    ReplayOutcome outcome = Replay.run(trace, EASY, ReplayWatcher.NONE);
    List<TraceJob> other = new ArrayList<>();
    for (int number = 0; number < JOBS; number++) {
      TraceJob job = trace.jobs().get(number);
      boolean ended = outcome.startSeconds(number) + job.durationSeconds() < now;
      if (number < seen) {
        other.add(ended ? job : lasting(job, outcome.startSeconds(number), now));
      } else if (number % 3 == 0) {
        other.add(lasting(job, now, now));
      }
    }
    Map<Integer, StatedRange> ranges = ranges(estimates(trace, EASY), now, trace);
    Map<Integer, StatedRange> others = ranges(estimates(new Trace(other), EASY), now, trace);
    assertThat(ranges).hasSizeGreaterThan(200);
    assertThat(others).isEqualTo(ranges);
  }

  /** Returns the job as it would be if it ended as late as it may. */
  private static TraceJob lasting(TraceJob job, long start, long now) {
    long limit = Estimates.USER.limitSeconds(job);
    long duration = Math.max(job.durationSeconds(), Math.min(limit, Math.max(1, now + 1 - start)));
    return new TraceJob(job.id(), job.submitSeconds(), duration, job.devices(), job.team(), limit);
  }

  /** Returns the ranges stated before a time, by job. */
  private static Map<Integer, StatedRange> ranges(StartEstimates estimates, long now, Trace trace) {
    return estimates.outcomes().stream()
        .filter(outcome -> trace.jobs().get(outcome.job()).submitSeconds() < now)
        .filter(outcome -> outcome.outcome().waited() > 0)
        .collect(
            Collectors.toMap(
                StartEstimates.JobOutcome::job,
                outcome -> outcome.outcome().stated(),
                (one, same) -> one,
                TreeMap::new));
  }

  @Test
  void withoutHistoryTheForecastItselfIsStated() {
    // Two jobs on all devices: the second waits for the first, whose limit is 1,000 s.
    Trace trace =
        new Trace(
            List.of(
                new TraceJob(1, 0, 500, DEVICES, "u", 1_000L),
                new TraceJob(2, 10, 500, DEVICES, "u", 1_000L)));
    List<StartEstimates.JobOutcome> outcomes = estimates(trace, EASY).outcomes();
    assertThat(outcomes).hasSize(1);
    StatedRange range = outcomes.get(0).outcome().stated();
    assertThat(range.low()).isBetween(0.0, 250.0);
    assertThat(range.median()).isBetween(350.0, 650.0);
    assertThat(range.high()).isBetween(800.0, 990.0);
    assertThat(outcomes.get(0).outcome().baseline()).isNull();
  }

  @Test
  void everyPolicyAndQueuesOfTeamsGetRanges() {
    Trace trace = new Trace(made(new SplittableRandom(5)).jobs().subList(0, 600));
    for (ReplayPolicy policy : ReplayPolicy.values()) {
      for (boolean teams : new boolean[] {false, true}) {
        ReplaySetup setup = new ReplaySetup(DEVICES, policy, Estimates.USER, teams);
        StartAccuracy accuracy = estimates(trace, setup).accuracy();
        assertThat(accuracy.withoutRange()).as("%s, teams %s", policy, teams).isZero();
        assertThat(accuracy.report().inRange())
            .as("%s, teams %s", policy, teams)
            .isGreaterThan(0.5);
      }
    }
  }
}
