// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.policy.EndAllowances;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.preview.Alternative.FewerSlices;
import io.sluice.admission.preview.Alternative.HigherPriority;
import io.sluice.admission.preview.Alternative.OtherComputeClass;
import io.sluice.admission.preview.Alternative.ShorterLimit;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.scenario.World;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.IndexProgress;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.SliceRange;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quota.WorkloadPriorityClass;
import io.sluice.testing.Seeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Each stated alternative, applied to the complete state, starts the job. */
class AlternativeSearchPropertyTest {
  private static final EnginePolicy DEFAULT = EnginePolicy.DEFAULT;

  /** Time limits of the random worlds are short beside the default allowances. */
  private static final EnginePolicy EXACT = DEFAULT.withEnds(EndAllowances.NONE);

  private static final int CLASSES = 4;
  private static final int ROUNDS = 20;
  private static final int EVERY = 4;
  private static final int JOBS = 4;
  private static final int SETTLED_WITHIN = 200;
  private static final int EVENTS_MAX = 100_000;

  private final TreeMap<String, Integer> seen = new TreeMap<>();

  @Test
  void aStatedAlternativeStartsTheJob() {
    Seeds.check(20, random -> live(RandomWorld.withPlannedQueues(random), EXACT, random));
    Seeds.check(10, random -> live(RandomWorld.withPlannedQueues(random), DEFAULT, random));
    Seeds.check(10, random -> live(RandomWorld.withoutLadders(random), DEFAULT, random));
    // Else nothing was tried.
    assertThat(seen.get("ShorterLimit")).isPositive();
    assertThat(seen.get("FewerSlices")).isGreaterThan(8);
    assertThat(seen.get("OtherComputeClass")).isGreaterThan(8);
    assertThat(seen.get("HigherPriority")).isGreaterThan(8);
  }

  private void live(RandomWorld inputs, EnginePolicy policy, SplittableRandom random) {
    World world = new World(policy);
    inputs.setUp().forEach(world::input);
    for (int value = 1; value <= CLASSES; value++) {
      ObjectMeta meta = ObjectMeta.named("class-" + value);
      world.input(new Input.SetObject(new WorkloadPriorityClass(meta, value, ""), 1));
    }
    for (int round = 0; round < ROUNDS; round++) {
      inputs.next(world.state()).forEach(world::input);
      world.clock().advance(inputs.pause());
      world.round();
      if (round % EVERY == EVERY - 1) {
        List<JobEntry> jobs = new ArrayList<>(world.state().jobs());
        for (int count = 0; count < JOBS && !jobs.isEmpty(); count++) {
          check(world, jobs.remove(random.nextInt(jobs.size())));
        }
      }
    }
  }

  private void check(World world, JobEntry job) {
    if (new Explainer(world.state()).explain(job).isEmpty()) {
      return;
    }
    StateSnapshot before = world.state().snapshot();
    Instant now = world.clock().now();
    List<Alternative> found =
        new AlternativeSearch(
                Competitors.of(world.state(), job), world.state().policy(), now, () -> true)
            .find();
    assertThat(world.state().snapshot()).as("the state that was looked at").isEqualTo(before);
    for (Alternative alternative : found) {
      seen.merge(alternative.getClass().getSimpleName(), 1, Integer::sum);
      assertThat(starts(before, world.state().policy(), now, job, alternative))
          .as("%s of %s", alternative, job)
          .isTrue();
    }
  }

  /** Whether the job, or one like it, is admitted after a change of the complete state. */
  private static boolean starts(
      StateSnapshot before,
      EnginePolicy policy,
      Instant now,
      JobEntry job,
      Alternative alternative) {
    AdmissionState state = AdmissionState.restore(before, policy);
    List<Input> inputs = new ArrayList<>();
    JobId id = job.id();
    if (alternative instanceof ShorterLimit shorter) {
      inputs.add(new Input.LimitJob(id, "seed", shorter.limit(), false));
    } else if (alternative instanceof HigherPriority higher) {
      inputs.add(
          new Input.PrioritizeJob(
              id, "seed", higher.className(), new WorkloadPriority(higher.value(), false)));
    } else if (alternative instanceof FewerSlices fewer) {
      inputs.add(new Input.CancelJob(id, "seed"));
      Workload anew = anew(job.workload(), smaller(job.workload().shape(), fewer.slices()), now);
      inputs.add(new Input.SubmitJob(anew));
      id = anew.id();
    } else if (alternative instanceof OtherComputeClass other) {
      WorkloadShape shape = job.workload().shape();
      WorkloadShape classed =
          new WorkloadShape(
              shape.podSets(), shape.accelerator(), other.className(), shape.onlyFlavors());
      Workload anew = anew(job.workload(), classed, now);
      inputs.add(new Input.CancelJob(id, "seed"));
      inputs.add(new Input.SubmitJob(anew));
      id = anew.id();
    }
    int attempts = attempts(state, id);
    settle(state, now, inputs);
    return attempts(state, id) > attempts;
  }

  private static WorkloadShape smaller(WorkloadShape shape, int slices) {
    AcceleratorRequest asked = shape.accelerator();
    if (asked == null) {
      throw new AssertionError("no slices: " + shape);
    }
    return new WorkloadShape(
        shape.podSets(slices),
        new AcceleratorRequest(
            asked.type(), asked.topology(), SliceRange.exactly(slices), asked.hostsPerSlice()),
        shape.computeClass(),
        shape.onlyFlavors());
  }

  private static Workload anew(Workload workload, WorkloadShape shape, Instant now) {
    return new Workload(
        new JobId(new UUID(-1L, -2L)),
        workload.name() + "-anew",
        workload.queue(),
        workload.priority(),
        new Workload.Submitted(now, workload.submitter()),
        shape,
        workload.limits(),
        workload.array());
  }

  private static int attempts(AdmissionState state, JobId id) {
    JobEntry job = state.findJob(id);
    return job == null
        ? 0
        : job.progress().values().stream().mapToInt(IndexProgress::attempts).sum();
  }

  private static void settle(AdmissionState state, Instant now, List<Input> inputs) {
    AdmissionEngine engine = new AdmissionEngine(state);
    List<Input> next = inputs;
    for (int round = 0; round < SETTLED_WITHIN; round++) {
      boolean quiet = engine.decide(next, now, EVENTS_MAX).events().isEmpty();
      next = new ArrayList<>();
      for (Attempt attempt : state.attempts()) {
        AttemptReport.Kind kind =
            attempt.draining() ? AttemptReport.Kind.DRAINED : AttemptReport.Kind.STARTED;
        if (attempt.draining() || !attempt.settled()) {
          next.add(
              new Input.Report(
                  new AttemptReport(attempt.key(), attempt.generation(), kind, null, "")));
        }
      }
      if (quiet && next.isEmpty()) {
        return;
      }
    }
    throw new AssertionError("the rounds do not end");
  }
}
