// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.SmallestChange;
import io.sluice.admission.explain.SmallestChange.Kind;
import io.sluice.admission.explain.SmallestChange.Part;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.scenario.World;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.IndexProgress;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.testing.Seeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A stated smallest change starts the job in the complete state; without one, none is found. */
class ChangeSearchPropertyTest {
  private static final int ROUNDS = 20;
  private static final int EVERY = 5;
  private static final int JOBS = 4;
  private static final int SETTLED_WITHIN = 200;
  private static final int EVENTS_MAX = 100_000;

  private final TreeMap<SmallestChange.Verdict, Integer> seen = new TreeMap<>();
  private int several;

  @Test
  void aStatedChangeStartsTheJobAndNoneMeansThatAdditionsDoNot() {
    Seeds.check(40, random -> live(RandomWorld.withoutLadders(random), random));
    Seeds.check(20, random -> live(new RandomWorld(random), random));
    Seeds.check(20, random -> live(RandomWorld.withCubes(random), random));

    assertThat(seen.get(SmallestChange.Verdict.CHANGE)).isGreaterThan(100);
    assertThat(several).isGreaterThan(20);
  }

  private void live(RandomWorld inputs, SplittableRandom random) {
    World world = new World();
    inputs.setUp().forEach(world::input);
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
    Explanation explanation = new Explainer(world.state()).explain(job).orElse(null);
    if (explanation == null || !ChangeSearch.appliesTo(explanation)) {
      return;
    }
    StateSnapshot before = world.state().snapshot();
    SmallestChange change =
        new ChangeSearch(Competitors.of(world.state(), job), EnginePolicy.DEFAULT, () -> true)
            .find();
    assertThat(world.state().snapshot()).as("the state that was looked at").isEqualTo(before);
    seen.merge(change.verdict(), 1, Integer::sum);
    several += change.parts().size() > 1 ? 1 : 0;
    for (Part part : change.parts()) {
      assertThat(part.subject()).as("%s", part).isNotEmpty();
      assertThat(part.kind() == Kind.RELEASE_JOB || part.amount() > 0).as("%s", part).isTrue();
    }
    Instant now = world.clock().now();
    switch (change.verdict()) {
      case CHANGE, WAIT ->
          assertThat(starts(before, now, job.id(), change.parts()))
              .as("%s of %s, which is %s", change, job, explanation)
              .isTrue();
      case NONE -> {
        for (List<Part> naive : naive(job)) {
          assertThat(starts(before, now, job.id(), naive))
              .as("%s of %s, which is %s", naive, job, explanation)
              .isFalse();
        }
      }
      case UNKNOWN -> {
        // The search met its bounds: nothing is stated.
      }
    }
  }

  /** More quota of everything, more slices of each flavor, and both. */
  private static List<List<Part>> naive(JobEntry job) {
    List<Part> quota = new ArrayList<>();
    List<Part> slices = new ArrayList<>();
    for (ResourceGroup group : job.queue().spec().resourceGroups()) {
      for (FlavorQuotas flavor : group.flavors()) {
        for (ResourceName resource : group.coveredResources()) {
          quota.add(new Part(Kind.ADD_QUOTA, flavor.flavor(), resource, 1L << 50));
          if (resource.equals(ResourceName.TPU)) {
            slices.add(new Part(Kind.ADD_SLICES, flavor.flavor(), resource, 64));
          }
        }
      }
    }
    List<Part> both = new ArrayList<>(quota);
    both.addAll(slices);
    return List.of(quota, slices, both);
  }

  /** Whether the job is admitted in the rounds that follow a change of the complete state. */
  private static boolean starts(StateSnapshot before, Instant now, JobId id, List<Part> parts) {
    AdmissionState state = AdmissionState.restore(before);
    JobEntry job = state.findJob(id);
    if (job == null) {
      throw new AssertionError("no job " + id);
    }
    int attempts = attempts(job);
    FleetAddition fleet = new FleetAddition(state);
    List<Input> inputs = new ArrayList<>();
    ClusterQueue queue = job.queue().spec();
    for (Part part : parts) {
      switch (part.kind()) {
        case ADD_QUOTA -> {
          queue = queue.withMore(part.subject(), part.resource(), part.amount());
          inputs.add(new Input.SetObject(queue, 1));
        }
        case ADD_SLICES -> fleet.slices(job, part.subject(), part.amount(), inputs);
        case RELEASE_JOB -> inputs.add(new Input.ReleaseJob(id, "seed"));
        default -> throw new AssertionError("unexpected " + part);
      }
    }
    settle(state, now, inputs);
    JobEntry after = state.findJob(id);
    return after != null && attempts(after) > attempts;
  }

  private static int attempts(JobEntry job) {
    return job.progress().values().stream().mapToInt(IndexProgress::attempts).sum();
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
