// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.StallPolicy;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.policy.AdmissionMode;
import io.sluice.queuemodel.quota.policy.FlavorFungibility;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.FleetBuilder;
import io.sluice.testing.WorkloadBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Inputs that could come from outside, chosen by a seed: a tree of cohorts, queues with any mix of
 * policies, slices and cores, jobs of all sorts, reports as executors make them, cancels and edits.
 */
public final class RandomWorld {
  private static final String NAMESPACE = "default";
  private static final int QUEUES = 4;
  private static final int QUEUES_WIDE = 16;
  private static final int SLICES = 6;
  private static final int SOUGHT = 4;
  private static final Labels SPOT_LABELS = Labels.of(Map.of(NodeLabels.SPOT, "true"));
  private static final Labels FLEX_LABELS = Labels.of(Map.of(NodeLabels.FLEX_START, "true"));
  private static final long CHIPS = 16;
  private static final long CORE = 1000;

  private final SplittableRandom random;
  private int jobs;
  private int edits;
  private final boolean ladders;
  private final boolean placed;
  private final boolean byUsage;
  private final int queues;
  private boolean cubes;
  private boolean selectors;
  private boolean planned;
  private boolean ranked;

  private static final List<String> DOORS = List.of("-a", "-b");

  public RandomWorld(SplittableRandom random) {
    this(random, true, false, false, QUEUES);
  }

  /**
   * A world with cubes from which smaller slices are cut, and which are joined to larger ones; in
   * one its hosts come and go.
   */
  public static RandomWorld withCubes(SplittableRandom random) {
    RandomWorld world = new RandomWorld(random, true, false, false, QUEUES);
    world.cubes = true;
    return world;
  }

  /** The same with labels and taints of hosts, and jobs that select and tolerate them. */
  public static RandomWorld withSelectors(SplittableRandom random) {
    RandomWorld world = withCubes(random);
    world.selectors = true;
    return world;
  }

  /** A world in which most queues are planned and most jobs have a time limit. */
  public static RandomWorld withPlannedQueues(SplittableRandom random) {
    RandomWorld world = new RandomWorld(random, true, false, false, QUEUES);
    world.planned = true;
    return world;
  }

  /** The same, in which the planned queues rank by time limit, each in its own way. */
  public static RandomWorld withRankings(SplittableRandom random) {
    RandomWorld world = withPlannedQueues(random);
    world.ranked = true;
    return world;
  }

  private RandomWorld(
      SplittableRandom random, boolean ladders, boolean placed, boolean byUsage, int queues) {
    this.random = random;
    this.ladders = ladders;
    this.placed = placed;
    this.byUsage = byUsage;
    this.queues = queues;
  }

  /** A world in which several LocalQueues lead to each queue, and most queues serve by usage. */
  public static RandomWorld byUsage(SplittableRandom random) {
    return new RandomWorld(random, true, false, true, QUEUES);
  }

  /**
   * A world with hosts in racks in blocks, of which many jobs want some that are close together.
   */
  public static RandomWorld withTopologies(SplittableRandom random) {
    return new RandomWorld(random, true, true, false, QUEUES);
  }

  /** A world in which no job names a compute class, since nobody there provides capacity. */
  public static RandomWorld withoutLadders(SplittableRandom random) {
    return new RandomWorld(random, false, false, false, QUEUES);
  }

  /** A world of many queues in a deep tree, most of which offer one flavor of cores. */
  public static RandomWorld wide(SplittableRandom random) {
    return new RandomWorld(random, true, false, false, QUEUES_WIDE);
  }

  /** The same, in which no job names a compute class. */
  public static RandomWorld wideWithoutLadders(SplittableRandom random) {
    return new RandomWorld(random, false, false, false, QUEUES_WIDE);
  }

  private boolean isWide() {
    return queues == QUEUES_WIDE;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  /** Flavors, cohorts, queues and a fleet. */
  public List<Input> setUp() {
    List<Input> inputs = new ArrayList<>();
    inputs.add(
        RandomSelectors.flavor(
            "v6e", Labels.of(Map.of(FleetBuilder.ACCELERATOR_LABEL, "tpu-v6e-slice"))));
    inputs.add(RandomSelectors.flavor("near", Labels.NONE));
    inputs.add(RandomSelectors.flavor("far", Labels.NONE));
    inputs.add(RandomSelectors.flavor("spot", SPOT_LABELS));
    inputs.add(RandomSelectors.flavor("flex", FLEX_LABELS));
    if (cubes) {
      inputs.add(
          RandomSelectors.flavor(
              "cubes", Labels.of(Map.of(FleetBuilder.ACCELERATOR_LABEL, "tpu7x"))));
    }
    if (placed) {
      inputs.addAll(RandomRooms.objects());
    }
    inputs.add(fleet(SLICES));
    inputs.add(RandomLadders.any(random, "ladder"));
    inputs.add(RandomLadders.any(random, "other"));
    inputs.add(cohort("org", null));
    inputs.add(cohort("lab", "org"));
    inputs.add(cohort("shop", chance(70) ? "org" : null));
    if (isWide()) {
      inputs.add(cohort("desk", "lab"));
    }
    for (int number = 0; number < queues; number++) {
      inputs.add(queue(number));
      inputs.add(RandomLocalQueues.of(random, number, chance(50)));
      for (String door : byUsage ? DOORS : List.<String>of()) {
        inputs.add(RandomLocalQueues.door(random, number, door));
      }
    }
    return inputs;
  }

  /** Slices that are there, and slices that come and go. */
  private Input fleet(int slices) {
    FleetBuilder fleet = FleetBuilder.fleet().slices(slices, "s", "v6e", "4x4");
    fleet.slices(SOUGHT, "p", "v6e", "4x4", CapacityType.SPOT, SPOT_LABELS);
    fleet.slices(SOUGHT, "f", "v6e", "4x4", CapacityType.FLEX_START, FLEX_LABELS);
    if (placed) {
      RandomRooms.hosts(fleet, 1 + slices);
    }
    if (cubes) {
      RandomCubes.fleet(fleet, random, slices >= SLICES);
    }
    RandomSelectors.mark(fleet, random, selectors);
    fleet.supply(new Supply(CapacityType.SPOT, chance(10), null, false));
    fleet.supply(new Supply(CapacityType.FLEX_START, false, null, false));
    return new Input.SetFleet(fleet.build());
  }

  /** What a provider answers, to what is sought and to what is not any more. */
  private void provide(AdmissionState state, List<Input> inputs) {
    List<Slice> fleet = state.fleet().slices();
    for (JobEntry job : state.jobs()) {
      for (int rung : job.ladder().keySet()) {
        RungKey key = new RungKey(job.id(), rung);
        if (chance(25) && !fleet.isEmpty()) {
          List<String> given = new ArrayList<>();
          for (int count = 1 + random.nextInt(3); count > 0; count--) {
            given.add(fleet.get(random.nextInt(fleet.size())).name());
          }
          inputs.add(new Input.GrantSlices(key, given));
        } else if (chance(8)) {
          inputs.add(new Input.RefuseSlices(key));
        }
      }
    }
    if (chance(20) && !fleet.isEmpty()) {
      String slice = fleet.get(random.nextInt(fleet.size())).name();
      inputs.add(
          chance(40)
              ? new Input.ReturnSlice(slice)
              : chance(30)
                  ? Input.ReclaimSlice.ofFailedHost(slice, slice + "-0")
                  : new Input.ReclaimSlice(
                      slice, chance(50) ? Duration.ZERO : Duration.ofSeconds(random.nextInt(30))));
    }
  }

  private Input cohort(String name, @Nullable String parent) {
    ClusterQueueBuilder cohort = ClusterQueueBuilder.named(name).cohort(parent);
    if (chance(30)) {
      cohort.quota("near", quota(ResourceName.CPU, random.nextInt(5), CORE, parent));
    }
    return new Input.SetObject(cohort.buildCohort(), 1);
  }

  private @Nullable Long limit(int most, long unit) {
    return chance(30) ? random.nextInt(most + 1) * unit : null;
  }

  private Input queue(int number) {
    return new Input.SetObject(clusterQueue(number), 1);
  }

  /** A queue as Kueue's rules allow it: no limits without a cohort, and so on. */
  private ClusterQueue clusterQueue(int number) {
    String[] cohorts = {"org", "lab", isWide() ? "desk" : "lab", "shop"};
    String cohort = chance(85) ? cohorts[number % cohorts.length] : null;
    PreemptionPolicy reclaim =
        pick(PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY);
    boolean mayBorrow = reclaim != PreemptionPolicy.NEVER && chance(50);
    QueuePreemption preemption =
        new QueuePreemption(
            pick(
                PreemptionPolicy.NEVER,
                PreemptionPolicy.LOWER_PRIORITY,
                PreemptionPolicy.LOWER_OR_NEWER_EQUAL_PRIORITY),
            reclaim,
            mayBorrow ? PreemptionPolicy.LOWER_PRIORITY : PreemptionPolicy.NEVER,
            mayBorrow && chance(30) ? random.nextInt(3) : null,
            chance(25) ? Duration.ofMinutes(1 + random.nextInt(30)) : Duration.ZERO);
    FlavorFungibility fungibility = RandomPolicies.fungibility(random);
    QueueingStrategy strategy =
        chance(25) ? QueueingStrategy.STRICT_FIFO : QueueingStrategy.BEST_EFFORT_FIFO;
    StopPolicy stop =
        chance(90) ? StopPolicy.NONE : pick(StopPolicy.HOLD, StopPolicy.HOLD_AND_DRAIN);
    AdmissionMode mode =
        byUsage && chance(80) ? AdmissionMode.BY_USAGE : AdmissionMode.NO_FAIR_SHARING;
    Queueing queueing =
        planned && chance(70) ? Queueing.planned(1 + random.nextInt(3)) : Queueing.KUEUE;
    return quotas(number, cohort)
        .preemption(preemption)
        .policies(
            policies ->
                policies
                    .withQueueingStrategy(strategy)
                    .withFairWeight(RandomLocalQueues.weight(number))
                    .withAdmissionMode(mode)
                    .withQueueing(
                        ranked ? queueing.withRanking(RandomPolicies.ranking(random)) : queueing)
                    .withStopPolicy(stop)
                    .withFlavorFungibility(fungibility))
        .build();
  }

  private ClusterQueueBuilder quotas(int number, @Nullable String cohort) {
    ClusterQueueBuilder queue = ClusterQueueBuilder.named("q" + number).cohort(cohort);
    if (placed) {
      queue.quota("racks", quota(ResourceName.CPU, random.nextInt(6), CORE, cohort));
      queue.quota("cages", quota(ResourceName.CPU, random.nextInt(3), CORE, cohort));
    }
    if (cubes) {
      queue.quota("cubes", quota(ResourceName.TPU, random.nextInt(10), CHIPS * 2, cohort));
    }
    queue
        .quota("v6e", quota(ResourceName.TPU, random.nextInt(5), CHIPS, cohort))
        .quota("spot", quota(ResourceName.TPU, random.nextInt(4), CHIPS, cohort))
        .quota("flex", quota(ResourceName.TPU, random.nextInt(4), CHIPS, cohort))
        .quota("near", quota(ResourceName.CPU, random.nextInt(6), CORE, cohort));
    if (!isWide() || chance(20)) {
      queue.quota("far", quota(ResourceName.CPU, random.nextInt(6), CORE, cohort));
    }
    return queue;
  }

  private ResourceQuota quota(
      ResourceName resource, int nominal, long unit, @Nullable String cohort) {
    return new ResourceQuota(
        resource,
        nominal * unit,
        cohort == null ? null : limit(4, unit),
        cohort == null ? null : limit(nominal, unit));
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** What comes in between two rounds, given what runs. */
  public List<Input> next(AdmissionState state) {
    List<Input> inputs = new ArrayList<>(submissions(state.now()));
    for (Attempt attempt : state.attempts()) {
      if (chance(40)) {
        new RandomReports(random).report(attempt, inputs);
      }
    }
    inputs.addAll(changes());
    provide(state, inputs);
    return inputs;
  }

  /** Jobs, of a time near the given one. */
  public List<Input> submissions(Instant now) {
    List<Input> inputs = new ArrayList<>();
    int arrivals = random.nextInt(isWide() ? QUEUES_WIDE : 4);
    for (int arrival = 0; arrival < arrivals; arrival++) {
      inputs.add(new Input.SubmitJob(job(now), chance(5)));
    }
    return inputs;
  }

  /** Cancels and edits, mostly none. */
  public List<Input> changes() {
    List<Input> inputs = new ArrayList<>();
    if (jobs > 0 && chance(10)) {
      inputs.add(new Input.CancelJob(WorkloadBuilder.id(1 + random.nextInt(jobs)), "seed"));
    }
    if (jobs > 0 && chance(15)) {
      JobId job = WorkloadBuilder.id(1 + random.nextInt(jobs));
      inputs.add(new Input.HoldJob(job, "seed", chance(40)));
    }
    RandomRuns.change(edits, inputs);
    edits++;
    if (jobs > 0 && edits % 7 == 0) {
      // Not drawn: what a seed makes besides stays what it was.
      WorkloadPriority priority = new WorkloadPriority(edits / 7 % 5, edits % 2 == 0);
      JobId job = WorkloadBuilder.id(1 + edits * 31 % jobs);
      inputs.add(new Input.PrioritizeJob(job, "seed", "class", priority));
    }
    if (jobs > 0 && edits % 5 == 0) {
      JobId job = WorkloadBuilder.id(1 + edits * 17 % jobs);
      Duration time = Duration.ofSeconds(1 + edits * 13 % 600);
      inputs.add(new Input.GiveHeadStart(job, "seed", time, "it is late"));
    }
    changeLimit(inputs);
    if (chance(60)) {
      inputs.addAll(releases(40));
    }
    if (chance(8)) {
      inputs.add(queue(random.nextInt(queues)));
    }
    if (chance(5)) {
      inputs.add(RandomLocalQueues.of(random, random.nextInt(queues), chance(70)));
    }
    if (byUsage && chance(8)) {
      inputs.add(RandomLocalQueues.door(random, random.nextInt(queues), pick("-a", "-b")));
    }
    if (chance(4)) {
      inputs.add(fleet(1 + random.nextInt(SLICES)));
    }
    if (chance(3)) {
      String name = pick("ladder", "other");
      inputs.add(
          chance(80)
              ? RandomLadders.any(random, name)
              : new Input.RemoveObject(ObjectKey.of(ObjectKind.COMPUTE_CLASS, name)));
    }
    return inputs;
  }

  private void changeLimit(List<Input> inputs) {
    if (jobs > 0 && edits % 4 == 0) {
      JobId job = WorkloadBuilder.id(1 + edits * 23 % jobs);
      Duration limit = edits % 11 == 0 ? null : Duration.ofSeconds(1 + edits * 19 % 90);
      inputs.add(new Input.LimitJob(job, "seed", limit, edits % 3 == 0));
    }
  }

  /** What an administrator may write at once: queues, a cohort, a class. */
  public List<Input> edit() {
    List<Input> inputs = new ArrayList<>();
    if (chance(20)) {
      inputs.add(cohort("shop", chance(70) ? "org" : null));
    }
    if (chance(10)) {
      inputs.add(RandomLadders.any(random, "ladder"));
    }
    for (int count = 1 + random.nextInt(2); count > 0; count--) {
      inputs.add(queue(random.nextInt(queues)));
    }
    return inputs;
  }

  /** Releases of jobs, whether they are held or not. */
  private List<Input> releases(int percent) {
    List<Input> inputs = new ArrayList<>();
    for (int job = 1; job <= jobs; job++) {
      if (chance(percent)) {
        inputs.add(new Input.ReleaseJob(WorkloadBuilder.id(job), "seed"));
      }
    }
    return inputs;
  }

  /** Edits after which every queue admits, every slice is there and no job is held. */
  public List<Input> settle() {
    List<Input> inputs = releases(100);
    inputs.add(fleet(SLICES));
    for (int number = 0; number < queues; number++) {
      ClusterQueue queue = clusterQueue(number);
      inputs.add(
          new Input.SetObject(
              new ClusterQueue(
                  queue.meta(),
                  queue.cohort(),
                  queue.resourceGroups(),
                  queue.policies().withStopPolicy(StopPolicy.NONE)),
              1));
    }
    return inputs;
  }

  private Workload job(Instant now) {
    jobs++;
    WorkloadBuilder job =
        WorkloadBuilder.named("job-" + jobs, jobs)
            .queue(NAMESPACE, "q" + random.nextInt(queues) + (byUsage ? pick("", "-a", "-b") : ""))
            .submitter(pick("alice", "bob"))
            .priority(random.nextInt(4), chance(25))
            .createdAt(now.plusMillis(random.nextInt(3)))
            .maxFailures(random.nextInt(3));
    if (cubes && chance(75)) {
      RandomCubes.ask(job, random);
    } else if (chance(50)) {
      job.slices(RandomCubes.range(random, 1 + random.nextInt(3)), "v6e", "4x4");
      if (jobs % 4 == 0) {
        job.headPod(ResourceName.CPU, 500);
      }
    } else {
      job.requests(1 + random.nextInt(3), ResourceName.CPU, 500L * (1 + random.nextInt(6)));
      if (jobs % 3 == 0) {
        job.least(1);
      }
    }
    RandomSelectors.select(job, random, selectors);
    if (placed && chance(60)) {
      job.requests(1 + random.nextInt(4), ResourceName.CPU, 500L * (1 + random.nextInt(3)));
      job.placed(RandomRooms.request(random));
    }
    if (ladders && chance(40)) {
      job.computeClass(pick("ladder", "other"));
    }
    if (chance(20)) {
      int count = 2 + random.nextInt(4);
      job.array(count, 1 + random.nextInt(count));
    }
    if (chance(planned ? 80 : 20)) {
      job.timeLimit(Duration.ofSeconds(5L + random.nextInt(30)));
    }
    if (chance(30)) {
      job.progressDeadline(Duration.ofSeconds(1L + random.nextInt(8)), pick(StallPolicy.values()));
    }
    if (chance(15)) {
      job.startDeadline(Duration.ofSeconds(1L + random.nextInt(8)));
    }
    if (jobs % 4 == 1) {
      job.maximumExecution(Duration.ofSeconds(5 + jobs % 20));
    }
    return job.build();
  }

  /** How much time passes between two rounds. */
  public Duration pause() {
    return Duration.ofMillis(random.nextInt(3000));
  }
}
