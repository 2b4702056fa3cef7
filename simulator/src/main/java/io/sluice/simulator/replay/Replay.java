// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.estimate.JobKind;
import io.sluice.admission.policy.EndAllowances;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.PlanEvent;
import io.sluice.queuemodel.job.AttemptDeadlines;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.QuotaObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Drives the engine through a trace. Each second in which a job ends or arrives is one batch: first
 * the ends, then the arrivals in the order of the queue, then rounds until the engine decides
 * nothing more. Attempts start at once and run for the duration of the trace.
 *
 * <p>Times are whole seconds of the trace. The latest end of an attempt is exactly its start plus
 * its limit.
 */
public final class Replay {
  private static final int EVENTS_MAX = 1_000_000;

  /** Maximum number of rounds in one second, beyond one for each waiting job. */
  private static final int ROUNDS_MAX = 10_000;

  private static final WorkloadPriority PRIORITY = new WorkloadPriority(0, false);

  /** An attempt that runs. */
  private record Running(long endSecond, int job, AttemptKey attempt) {}

  private final List<TraceJob> jobs;
  private final ReplaySetup setup;
  private final ReplayQueues queues;
  private final AdmissionState state;
  private final AdmissionEngine engine;
  private final long[] starts;
  private final PromiseRecord promises;
  private final @Nullable StartEstimates estimates;
  private final Map<Integer, WorkloadShape> shapes = new HashMap<>();
  private final PriorityQueue<Running> running =
      new PriorityQueue<>(
          Comparator.comparingLong(Running::endSecond).thenComparingInt(Running::job));
  private int arrived;
  private int started;
  private int ended;

  private Replay(Trace trace, ReplaySetup setup, @Nullable StartEstimates estimates) {
    this.jobs = trace.jobs();
    this.setup = setup;
    this.queues = new ReplayQueues(trace, setup);
    this.state =
        AdmissionState.restore(
            StateSnapshot.empty(), EnginePolicy.DEFAULT.withEnds(EndAllowances.NONE));
    this.engine = new AdmissionEngine(state);
    this.starts = new long[jobs.size()];
    this.promises = new PromiseRecord(jobs, queues::of);
    this.estimates = estimates;
  }

  /**
   * Replays a trace to the end of its last job.
   *
   * @throws IllegalStateException if the engine leaves a job waiting for ever, or ends one early
   */
  public static ReplayOutcome run(Trace trace, ReplaySetup setup, ReplayWatcher watcher) {
    return run(trace, setup, null, watcher);
  }

  /**
   * Replays a trace like {@link #run}, and estimates the start of each job that waits after the
   * second of its submission. The estimates change no decision.
   */
  public static ReplayOutcome runWithEstimates(
      Trace trace, ReplaySetup setup, ReplayWatcher watcher) {
    return run(trace, setup, new StartEstimates(), watcher);
  }

  static ReplayOutcome run(
      Trace trace, ReplaySetup setup, @Nullable StartEstimates estimates, ReplayWatcher watcher) {
    Replay replay = new Replay(trace, setup, estimates);
    replay.setUp();
    replay.replayAll(watcher);
    return new ReplayOutcome(
        trace,
        setup,
        replay.starts,
        replay.promises.counts(),
        estimates == null ? null : estimates.accuracy());
  }

  private void setUp() {
    List<Input> inputs = new ArrayList<>();
    for (QuotaObject object : queues.objects()) {
      inputs.add(new Input.SetObject(object, 1));
    }
    settle(inputs, jobs.get(0).submitSeconds());
  }

  private void replayAll(ReplayWatcher watcher) {
    while (ended < jobs.size()) {
      long second = nextSecond();
      List<Input> inputs = new ArrayList<>();
      while (!running.isEmpty() && running.element().endSecond() == second) {
        Running ending = running.remove();
        inputs.add(report(ending.attempt(), AttemptReport.Kind.FINISHED));
        noteEnd(ending);
        ended++;
      }
      while (arrived < jobs.size() && jobs.get(arrived).submitSeconds() == second) {
        Workload workload = workload(arrived);
        inputs.add(new Input.SubmitJob(workload));
        if (estimates != null) {
          estimates.submitted(workload.id());
        }
        arrived++;
      }
      settle(inputs, second);
      if (estimates != null) {
        estimates.endSecond(state);
      }
      watcher.passed(ended, jobs.size(), second);
    }
  }

  private void noteEnd(Running ending) {
    JobEntry job = state.findJob(ending.attempt().job());
    if (estimates != null && job != null) {
      JobKind kind = JobKind.of(job.workload(), job.queue().name());
      estimates.ended(kind, jobs.get(ending.job()).durationSeconds());
    }
  }

  private void noteStart(int number, long second) {
    TraceJob job = jobs.get(number);
    if (estimates != null) {
      String queue = Objects.requireNonNull(state.findJob(id(number))).queue().name();
      estimates.started(number, id(number), queue, second - job.submitSeconds());
    }
  }

  private long nextSecond() {
    long end = running.isEmpty() ? Long.MAX_VALUE : running.element().endSecond();
    long arrival = arrived < jobs.size() ? jobs.get(arrived).submitSeconds() : Long.MAX_VALUE;
    long next = Math.min(end, arrival);
    if (next == Long.MAX_VALUE) {
      throw new IllegalStateException(
          "%d jobs wait, and nothing runs that could end".formatted(arrived - started));
    }
    return next;
  }

  /** Runs rounds at one time until nothing is left to decide. */
  private void settle(List<Input> first, long second) {
    Instant now = Instant.ofEpochSecond(second);
    List<Input> inputs = first;
    int rounds = 0;
    int most = ROUNDS_MAX + arrived - started;
    boolean more = true;
    while (more || !inputs.isEmpty()) {
      if (rounds == most) {
        throw new IllegalStateException(
            "second %d did not end in %d rounds".formatted(second, most));
      }
      rounds++;
      AdmissionEngine.Round round = engine.decide(inputs, now, EVENTS_MAX);
      if (!round.undecided().isEmpty()) {
        throw new IllegalStateException("a cycle decided nothing about " + round.undecided());
      }
      state.collectChanges();
      inputs = new ArrayList<>();
      for (Event event : round.events()) {
        take(event, second, inputs);
      }
      promises.endRound();
      more = round.more();
    }
  }

  private void take(Event event, long second, List<Input> inputs) {
    if (event instanceof Event.Admitted admitted) {
      int job = number(admitted.job());
      starts[job] = second;
      started++;
      promises.started(job, second);
      noteStart(job, second);
      running.add(new Running(second + jobs.get(job).durationSeconds(), job, admitted.attempt()));
      inputs.add(report(admitted.attempt(), AttemptReport.Kind.STARTED));
    } else if (event instanceof PlanEvent && !setup.policy().plans()) {
      // Room that is held within nominal quota has no time.
      return;
    } else if (event instanceof PlanEvent.StartPlanned planned) {
      promises.planned(number(planned.job()), planned.planned(), planned.change());
    } else if (event instanceof PlanEvent.PlanWithdrawn withdrawn) {
      promises.withdrawn(number(withdrawn.job()), withdrawn.change());
    } else if (event instanceof Event.AttemptDraining draining) {
      throw new IllegalStateException(
          "attempt %s is ended early: %s".formatted(draining.attempt(), draining.drain()));
    }
  }

  private static Input report(AttemptKey attempt, AttemptReport.Kind kind) {
    return new Input.Report(new AttemptReport(attempt, 1, kind, null, ""));
  }

  /** Returns a job's number in the order of the trace, which its id carries. */
  static int number(JobId id) {
    return (int) id.value().getLeastSignificantBits();
  }

  private static JobId id(int number) {
    return new JobId(new UUID(0, number));
  }

  private Workload workload(int number) {
    TraceJob job = jobs.get(number);
    return new Workload(
        id(number),
        "job-" + job.id(),
        queues.of(job.team()),
        PRIORITY,
        new Workload.Submitted(Instant.ofEpochSecond(job.submitSeconds()), job.team()),
        shapes.computeIfAbsent(job.devices(), Replay::shape),
        new JobLimits(
            Duration.ofSeconds(setup.estimates().limitSeconds(job)),
            Duration.ZERO,
            0,
            AttemptDeadlines.DEFAULT),
        JobArray.SINGLE);
  }

  private static WorkloadShape shape(int devices) {
    PodSet pods =
        new PodSet(
            "main", devices, ResourceList.of(ReplayQueues.DEVICE, 1), Labels.NONE, List.of());
    return new WorkloadShape(List.of(pods), null);
  }
}
