// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.projection.ProjectedJob.Who;
import io.sluice.admission.projection.ProjectionComparison.Effect;
import io.sluice.admission.projection.ProjectionComparison.JobChange;
import io.sluice.admission.scenario.ScenarioRunner;
import io.sluice.admission.scenario.World;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.testing.WorkloadBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A queue of four cores: the first job uses three of them for an hour, the second waits. */
class ProjectionComparisonTest {
  private static final int CORE = 1_000;
  private static final Duration HOUR = Duration.ofHours(1);

  /** Grace period of the jobs, and the allowance of the policy. */
  private static final Duration END = Duration.ofSeconds(30).plusMinutes(5);

  private final World world = world();
  private Instant now = world.clock().now();
  private Workload first = job(1, 3, HOUR, 0);
  private Workload second = job(2, 3, HOUR, 0);

  private static World world() {
    ScenarioRunner scenario = new ScenarioRunner();
    scenario.run(
        """
        queue  vision  nominal cpu 4  within lower
        """);
    return scenario.world();
  }

  private Workload job(int number, int cores, @Nullable Duration limit, int priority) {
    return WorkloadBuilder.named("job-" + number, number)
        .createdAt(now.plusMillis(number))
        .queue("default", "vision")
        .requests(1, ResourceName.CPU, (long) cores * CORE)
        .priority(priority, false)
        .gracePeriod(Duration.ofSeconds(30))
        .timeLimit(limit)
        .build();
  }

  @BeforeEach
  void live() {
    world.submit(first);
    world.submit(second);
    world.round();
    world.report("job-1", 0, AttemptReport.Kind.STARTED);
    world.round();
    now = world.clock().now();
  }

  private Projection project(StateSnapshot snapshot, List<Input> inputs) {
    return Projector.project(
        snapshot,
        EnginePolicy.DEFAULT,
        now,
        inputs,
        ProjectionBounds.of(Duration.ofDays(1), () -> true));
  }

  private ProjectionComparison compare(List<Input> inputs, Workload... asked) {
    StateSnapshot snapshot = world.state().snapshot();
    List<Who> who =
        List.of(asked).stream()
            .map(job -> new Who(job.id(), "default", job.name(), "vision", 0))
            .toList();
    ProjectionComparison compared =
        ProjectionComparison.of(
            project(snapshot, List.of()),
            project(snapshot, inputs),
            who,
            Set.copyOf(who.stream().map(Who::job).toList()));
    assertThat(world.state().snapshot()).isEqualTo(snapshot);
    return compared;
  }

  private static JobChange change(ProjectionComparison compared, JobId job) {
    return compared.jobs().stream()
        .filter(one -> one.who().job().equals(job))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aJobStartsAtTheLatestEndOfTheOneThatItWaitsFor() {
    Projection projection = project(world.state().snapshot(), List.of());
    ProjectedJob projected = Objects.requireNonNull(projection.jobs().get(second.id()));
    assertThat(projected.start()).isEqualTo(now.plus(HOUR).plus(END));
    assertThat(projection.truncated()).isFalse();
  }

  @Test
  void aSubmittedJobThatFitsStartsAtOnceAndDelaysWhoWaits() {
    Workload third = job(3, 1, null, 0);
    Workload fourth = job(4, 1, HOUR, 0);
    ProjectionComparison compared =
        compare(List.of(new Input.SubmitJob(third), new Input.SubmitJob(fourth)), third, fourth);
    assertThat(change(compared, third.id()).effect()).isEqualTo(Effect.STARTS);
    assertThat(change(compared, third.id()).after()).isEqualTo(now);
    // The third never ends, so that three cores are left for the second, and none for the fourth.
    assertThat(change(compared, fourth.id()).after())
        .isEqualTo(now.plus(HOUR).plus(END).plus(HOUR).plus(END));
    assertThat(compared.counts()).doesNotContainKeys(Effect.LATER, Effect.DISPLACED);
  }

  @Test
  void moreQuotaMakesAStartEarlier() {
    ClusterQueue queue = Objects.requireNonNull(world.state().queue("vision")).spec();
    String flavor = queue.resourceGroups().get(0).flavors().get(0).flavor();
    ProjectionComparison compared =
        compare(
            List.of(new Input.SetObject(queue.withMore(flavor, ResourceName.CPU, 4 * CORE), 2)));
    JobChange earlier = change(compared, second.id());
    assertThat(earlier.effect()).isEqualTo(Effect.EARLIER);
    assertThat(earlier.after()).isEqualTo(now);
    assertThat(earlier.delay()).isEqualTo(HOUR.plus(END).negated());
  }

  @Test
  void aShorterTimeLimitMakesTheNextStartEarlierAndNoLimitRemovesItsDate() {
    Input shorter = new Input.LimitJob(first.id(), "somebody", Duration.ofMinutes(20), true);
    JobChange earlier = change(compare(List.of(shorter)), second.id());
    assertThat(earlier.after()).isEqualTo(now.plusSeconds(20 * 60).plus(END));

    Workload never = job(3, 5, HOUR, 0);
    JobChange told = change(compare(List.of(new Input.SubmitJob(never)), never), never.id());
    assertThat(told.effect()).isEqualTo(Effect.NEVER);
    assertThat(told.after()).isNull();
  }

  @Test
  void aPreemptedJobIsDisplacedAndItsRunningTimeIsCounted() {
    world.clock().advance(Duration.ofMinutes(10));
    now = world.clock().now();
    Workload urgent = job(3, 4, HOUR, 100);
    ProjectionComparison compared = compare(List.of(new Input.SubmitJob(urgent)), urgent);
    JobChange displaced = change(compared, first.id());
    assertThat(displaced.effect()).isEqualTo(Effect.DISPLACED);
    assertThat(displaced.preemptor()).extracting(Who::name).isEqualTo("job-3");
    assertThat(displaced.loss().attemptSeconds()).isEqualTo(600);
    assertThat(change(compared, urgent.id()).after()).isEqualTo(now.plusSeconds(30));
    assertThat(displaced.after()).isEqualTo(now.plusSeconds(30).plus(HOUR).plus(END));
    assertThat(compared.with().jobs()).isEqualTo(1);
    assertThat(compared.without().evictions()).isZero();
    assertThat(change(compared, second.id()).effect()).isEqualTo(Effect.LATER);
  }

  @Test
  void aBoundTruncatesAProjection() {
    Projection projection =
        Projector.project(
            world.state().snapshot(),
            EnginePolicy.DEFAULT,
            now,
            List.of(),
            new ProjectionBounds(Duration.ofDays(1), 2, 100, () -> true));
    assertThat(projection.truncated()).isTrue();
    assertThat(projection.until()).isBefore(now.plus(Duration.ofDays(1)));
  }

  @Test
  void aJobThatSeeksCapacityBeforeItStartsHasNoDate() {
    Projection without = project(world.state().snapshot(), List.of());
    ProjectedJob dated = Objects.requireNonNull(without.jobs().get(second.id()));
    ProjectedJob seeking = new ProjectedJob(dated.who(), false, dated.start(), now, dated.loss());
    Projection with =
        new Projection(now, without.until(), false, new TreeMap<>(Map.of(second.id(), seeking)));
    JobChange told =
        change(ProjectionComparison.of(without, with, List.of(), Set.of()), second.id());
    assertThat(told.effect()).isEqualTo(Effect.UNKNOWN);
    assertThat(told.after()).isNull();
    assertThat(told.seeksCapacity()).isTrue();
  }
}
