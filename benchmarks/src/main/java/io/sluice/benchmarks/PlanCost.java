// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.PlanEvent;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.Queueing;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Measures what planned starts cost a round: 10,000 pending and about 1,000 running jobs in 30
 * ClusterQueues of 5 cohorts, and a mixed stream of submissions, starts, ends and cancellations.
 * The same stream is run with queues as in Kueue and with planned ones. It prints median and 99th
 * percentile of a round in CPU time of the deciding thread, then the cost of a question to the
 * guard.
 */
final class PlanCost {
  private static final int QUEUES = 30;
  private static final int COHORTS = 5;
  private static final long NOMINAL_MILLIS = 350_000;
  static final int PENDING = 10_000;
  private static final int SHAPES = 100;
  private static final int WARM_UPS = 1_000;
  private static final int ROUNDS = 3_000;
  private static final int CHANGES = 5;
  private static final int QUESTIONS = 200_000;
  private static final int EVENTS_MAX = 1_000_000;
  private static final int[] LIMIT_MINUTES = {10, 30, 60, 240, 1_440};

  private final SplittableRandom random = new SplittableRandom(1);
  private final AdmissionState state =
      AdmissionState.restore(StateSnapshot.empty(), EnginePolicy.DEFAULT);
  private final AdmissionEngine engine = new AdmissionEngine(state);
  private final List<WorkloadShape> shapes = new ArrayList<>();
  private final int pendingJobs;
  private Instant now = Instant.EPOCH.plusSeconds(1);
  private long jobs;
  private long moves;

  private PlanCost(Queueing queueing, int pendingJobs) {
    this.pendingJobs = pendingJobs;
    for (int shape = 0; shape < SHAPES; shape++) {
      shapes.add(WorldObjects.shape(1_000 + 190L * shape));
    }
    List<Input> objects = new ArrayList<>();
    objects.add(WorldObjects.flavor());
    for (int number = 0; number < COHORTS; number++) {
      objects.add(WorldObjects.cohort("c" + number, null));
    }
    for (int number = 0; number < QUEUES; number++) {
      objects.add(
          WorldObjects.clusterQueue(
              "q" + number,
              "c" + number % COHORTS,
              NOMINAL_MILLIS,
              QueuePreemption.NEVER,
              queueing));
      objects.add(WorldObjects.localQueue("q" + number));
    }
    decide(objects);
  }

  /**
   * Prints the figures.
   *
   * @param args planned depths to measure beside queues as in Kueue; 1 if there are none
   */
  public static void main(String[] args) {
    measure("as in Kueue", Queueing.KUEUE);
    int[] depths =
        args.length == 0
            ? new int[] {1}
            : Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
    for (int depth : depths) {
      measure("planned, depth " + depth, Queueing.planned(depth));
    }
  }

  private static void measure(String what, Queueing queueing) {
    PlanCost world = new PlanCost(queueing, PENDING);
    world.fill();
    for (int round = 0; round < WARM_UPS; round++) {
      world.round();
    }
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long[] nanos = new long[ROUNDS];
    world.moves = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<Input> inputs = world.next();
      long begun = threads.getCurrentThreadCpuTime();
      world.decide(inputs);
      nanos[round] = threads.getCurrentThreadCpuTime() - begun;
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%-20s %,d pending, %,d running: a round median %.3f ms, p99 %.3f ms, worst %.3f ms;"
            + " %,d events of planned starts in %,d rounds; guard %.2f us a candidate%n",
        what,
        world.pending(),
        world.state.attempts().size(),
        nanos[ROUNDS / 2] / 1e6,
        nanos[ROUNDS * 99 / 100] / 1e6,
        nanos[ROUNDS - 1] / 1e6,
        world.moves,
        ROUNDS,
        world.microsAQuestion(threads));
  }

  /** Returns a state with pending jobs in planned queues, in the middle of the stream. */
  static AdmissionState world(int pendingJobs) {
    PlanCost world = new PlanCost(Queueing.planned(1), pendingJobs);
    world.fill();
    for (int round = 0; round < WARM_UPS; round++) {
      world.round();
    }
    return world.state;
  }

  private int pending() {
    return state.queues().stream().mapToInt(queue -> queue.pending().size()).sum();
  }

  /** Asks about a job of each queue in turn: the question of a cycle for each head. */
  private double microsAQuestion(ThreadMXBean threads) {
    List<JobEntry> heads = new ArrayList<>();
    state.queues().forEach(queue -> heads.add(queue.pending().inOrder().get(1)));
    int permitted = 0;
    long begun = 0;
    for (int question = -QUESTIONS; question < QUESTIONS; question++) {
      if (question == 0) {
        begun = threads.getCurrentThreadCpuTime();
      }
      JobEntry job = heads.get(Math.floorMod(question, heads.size()));
      long amount = 1_000 + 190L * Math.floorMod(question, SHAPES);
      permitted += state.plan().guard().permits(job, job.queue().node(), 0, amount) ? 1 : 0;
    }
    long spent = threads.getCurrentThreadCpuTime() - begun;
    if (permitted < 0) {
      throw new IllegalStateException("the count of permitted questions overflowed");
    }
    return spent / 1e3 / QUESTIONS;
  }

  private void fill() {
    for (int left = pendingJobs + 1_000; left > 0; left -= 1_000) {
      List<Input> inputs = new ArrayList<>();
      for (int job = 0; job < 1_000; job++) {
        inputs.add(new Input.SubmitJob(workload()));
      }
      decide(inputs);
    }
  }

  private void round() {
    decide(next());
  }

  private void decide(List<Input> inputs) {
    List<Input> next = inputs;
    boolean more = true;
    while (more) {
      AdmissionEngine.Round round = engine.decide(next, now, EVENTS_MAX);
      for (Event event : round.events()) {
        moves += event instanceof PlanEvent ? 1 : 0;
      }
      more = round.more();
      next = List.of();
      state.collectChanges();
    }
  }

  /** Starts what was admitted, ends some attempts, cancels a job at times, and submits as many. */
  private List<Input> next() {
    now = now.plusSeconds(2);
    List<Input> inputs = new ArrayList<>();
    List<Attempt> running = new ArrayList<>();
    for (Attempt attempt : state.attempts()) {
      if (attempt.draining()) {
        inputs.add(report(attempt, AttemptReport.Kind.DRAINED));
      } else if (attempt.startedAt() == null) {
        inputs.add(report(attempt, AttemptReport.Kind.STARTED));
      } else {
        running.add(attempt);
      }
    }
    int ends = running.isEmpty() ? 0 : random.nextInt(CHANGES);
    for (int end = 0; end < ends && !running.isEmpty(); end++) {
      Attempt attempt = running.remove(random.nextInt(running.size()));
      inputs.add(report(attempt, AttemptReport.Kind.FINISHED));
    }
    int arrivals = Math.max(0, pendingJobs - pending());
    for (int job = 0; job < arrivals; job++) {
      inputs.add(new Input.SubmitJob(workload()));
    }
    return inputs;
  }

  private static Input report(Attempt attempt, AttemptReport.Kind kind) {
    return new Input.Report(new AttemptReport(attempt.key(), attempt.generation(), kind, null, ""));
  }

  private Workload workload() {
    jobs++;
    Duration limit = Duration.ofMinutes(LIMIT_MINUTES[random.nextInt(LIMIT_MINUTES.length)]);
    return WorldObjects.workload(
            jobs,
            "q" + random.nextInt(QUEUES),
            random.nextInt(3),
            now.plusMillis(jobs % 1_000),
            shapes.get(random.nextInt(shapes.size())))
        .withLimits(JobLimits.DEFAULT.withTimeLimit(limit));
  }
}
