// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.SliceRange;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * An engine without a journal, in a world with mostly blocked heads. Each round ends running jobs,
 * takes in as many new ones, and admits whom it can.
 */
final class RoundWorld {
  private static final int EVENTS_MAX = 10_000_000;
  private static final int ELASTIC_SLICES = 4;
  private static final long NANOS_AN_END = 100_000;
  private static final long SMALLEST_MILLIS = 1_000;
  private static final long RANGE_MILLIS = 19_000;
  private static final QueuePreemption EVICTS =
      new QueuePreemption(
          PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY, PreemptionPolicy.NEVER, null);

  /**
   * How large the world is.
   *
   * @param cohorts that have ClusterQueues of their own
   * @param depth of cohorts above a ClusterQueue; ten cohorts have one above them
   * @param nominalMillis of each ClusterQueue; jobs ask for 1,000 to 20,000
   * @param shapes how many different amounts jobs ask for
   */
  record Size(int queues, int cohorts, int depth, long nominalMillis, int shapes) {
    /** Some teams of one organisation each. */
    static Size usual(int shapes) {
      return new Size(30, 5, 1, 200_000, shapes);
    }

    /** As many queues as one server is meant for. */
    static Size wide(int shapes) {
      return new Size(10_000, 1_000, 4, 30_000, shapes);
    }
  }

  private final Size size;
  private final boolean preempting;
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<WorkloadShape> shapes = new ArrayList<>();
  private final AdmissionState state;
  private final AdmissionEngine engine;
  private Instant now = Instant.EPOCH;
  private long jobs;

  RoundWorld(Size size, boolean fair, boolean preempting) {
    this.size = size;
    this.preempting = preempting;
    EnginePolicy policy =
        fair ? EnginePolicy.DEFAULT.withFairSharing(FairSharing.DEFAULT) : EnginePolicy.DEFAULT;
    this.state = AdmissionState.restore(StateSnapshot.empty(), policy);
    this.engine = new AdmissionEngine(state);
    for (int shape = 0; shape < size.shapes(); shape++) {
      shapes.add(WorldObjects.shape(SMALLEST_MILLIS + RANGE_MILLIS * shape / size.shapes()));
    }
  }

  AdmissionState state() {
    return state;
  }

  /** Sets the queues up, fills them, and admits what fits. */
  void fill(int pending) {
    engine.decide(objects(), now, EVENTS_MAX);
    int left = pending;
    while (left > 0) {
      int some = Math.min(left, 10_000);
      List<Input> inputs = new ArrayList<>();
      for (int job = 0; job < some; job++) {
        inputs.add(new Input.SubmitJob(workload()));
      }
      engine.decide(inputs, now, EVENTS_MAX);
      state.collectChanges();
      left -= some;
    }
  }

  /**
   * Has an elastic job run on slices above its minimum, in a queue of the first cohort. Any head
   * that wants slices may take them back.
   */
  void addElasticJob() {
    SliceRange range = new SliceRange(1, ELASTIC_SLICES);
    List<Input> inputs = new ArrayList<>();
    inputs.add(new Input.SetFleet(SliceObjects.fleet(ELASTIC_SLICES)));
    inputs.add(SliceObjects.flavor());
    inputs.add(SliceObjects.clusterQueue("elastic", cohort(1, 0), ELASTIC_SLICES));
    inputs.add(WorldObjects.localQueue("elastic"));
    jobs++;
    inputs.add(
        new Input.SubmitJob(
            WorldObjects.workload(
                jobs, "elastic", 0, now.plusMillis(jobs), SliceObjects.shape(range))));
    engine.decide(inputs, now, EVENTS_MAX);
    state.collectChanges();
    if (state.elastic().size() != 1) {
      throw new IllegalStateException("another world than was meant");
    }
  }

  /**
   * One round; how many it admitted.
   *
   * @param ends how many jobs end in it, and come
   */
  int round(int ends) {
    now = now.plusNanos(ends * NANOS_AN_END);
    List<Input> inputs = new ArrayList<>();
    int ended = 0;
    for (Attempt attempt : state.attempts()) {
      if (ended == ends) {
        break;
      }
      if (attempt.elastic()) {
        continue;
      }
      AttemptReport.Kind kind =
          attempt.draining() ? AttemptReport.Kind.DRAINED : AttemptReport.Kind.FINISHED;
      inputs.add(
          new Input.Report(new AttemptReport(attempt.key(), attempt.generation(), kind, null, "")));
      inputs.add(new Input.SubmitJob(workload()));
      ended++;
    }
    return decide(inputs);
  }

  private int decide(List<Input> inputs) {
    int admitted = 0;
    for (Event event : engine.decide(inputs, now, EVENTS_MAX).events()) {
      admitted += event instanceof Event.Admitted ? 1 : 0;
    }
    state.collectChanges();
    return admitted;
  }

  private List<Input> objects() {
    List<Input> inputs = new ArrayList<>();
    inputs.add(WorldObjects.flavor());
    addCohorts(inputs, size.cohorts(), 1);
    for (int number = 0; number < size.queues(); number++) {
      inputs.add(
          WorldObjects.clusterQueue(
              queue(number),
              cohort(1, number % size.cohorts()),
              size.nominalMillis(),
              preempting ? EVICTS : QueuePreemption.NEVER));
      inputs.add(WorldObjects.localQueue(queue(number)));
    }
    return inputs;
  }

  private void addCohorts(List<Input> inputs, int count, int level) {
    for (int number = 0; number < count; number++) {
      String parent = level == size.depth() ? null : cohort(level + 1, number / 10);
      inputs.add(WorldObjects.cohort(cohort(level, number), parent));
    }
    if (level < size.depth()) {
      addCohorts(inputs, (count + 9) / 10, level + 1);
    }
  }

  private static String queue(int number) {
    return "q" + number;
  }

  private static String cohort(int level, int number) {
    return "c" + level + "-" + number;
  }

  private Workload workload() {
    jobs++;
    return WorldObjects.workload(
        jobs,
        queue(random.nextInt(size.queues())),
        random.nextInt(3),
        now.plusMillis(jobs),
        shapes.get(random.nextInt(shapes.size())));
  }
}
