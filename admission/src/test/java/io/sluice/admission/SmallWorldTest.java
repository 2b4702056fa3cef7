// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.preemption.VictimSearch;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.scenario.World;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.Seeds;
import io.sluice.testing.VirtualClock;
import io.sluice.testing.WorkloadBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Worlds so small that everything can be tried. */
class SmallWorldTest {
  private static final int ROUNDS = 25;
  private static final int NOMINAL = 12;
  private static final int RUNNING_MAX = 8;
  private static final int PREEMPTOR_PRIORITY = 2;

  /** Of one queue with two resources: what runs in it, and one who may evict some of that. */
  private static final class OneQueue {
    private final World world = new World();
    private final List<Workload> running = new ArrayList<>();
    private final boolean newerToo;
    private final Workload preemptor;
    private long freeCpu = NOMINAL;
    private long freeMemory = NOMINAL;

    OneQueue(SplittableRandom random) {
      this.newerToo = random.nextBoolean();
      PreemptionPolicy within =
          newerToo
              ? PreemptionPolicy.LOWER_OR_NEWER_EQUAL_PRIORITY
              : PreemptionPolicy.LOWER_PRIORITY;
      world.input(
          new Input.SetObject(
              new ResourceFlavor(ObjectMeta.named("any"), Labels.NONE, List.of(), List.of()), 1));
      world.input(
          new Input.SetObject(
              ClusterQueueBuilder.named("q")
                  .nominal("any", ResourceName.CPU, NOMINAL)
                  .nominal("any", ResourceName.MEMORY, NOMINAL)
                  .preemption(
                      new QueuePreemption(
                          within, PreemptionPolicy.NEVER, PreemptionPolicy.NEVER, null))
                  .build(),
              1));
      world.input(
          new Input.SetObject(
              new LocalQueue(ObjectMeta.named("default", "q"), "q", StopPolicy.NONE), 1));
      int count = random.nextInt(RUNNING_MAX + 1);
      for (int number = 1; number <= count; number++) {
        long cpu = random.nextInt(5);
        long memory = random.nextInt(5);
        if (cpu <= freeCpu && memory <= freeMemory && cpu + memory > 0) {
          Workload workload = job(random, number, cpu, memory, random.nextInt(4));
          freeCpu -= cpu;
          freeMemory -= memory;
          running.add(workload);
          world.submit(workload);
          world.round();
        }
      }
      preemptor =
          job(random, 100, random.nextInt(NOMINAL), random.nextInt(NOMINAL), PREEMPTOR_PRIORITY);
    }

    private static Workload job(
        SplittableRandom random, long number, long cpu, long memory, int priority) {
      TreeMap<ResourceName, Long> amounts = new TreeMap<>();
      amounts.put(ResourceName.CPU, cpu);
      amounts.put(ResourceName.MEMORY, memory);
      return WorkloadBuilder.named("job" + number, number)
          .queue("default", "q")
          .priority(priority, false)
          .createdAt(VirtualClock.BEGIN.plusSeconds(random.nextInt(20)))
          .requests(new ResourceList(amounts))
          .build();
    }

    private boolean mayGo(Workload workload) {
      int priority = workload.priority().value();
      boolean newer =
          priority == PREEMPTOR_PRIORITY && preemptor.createdAt().isBefore(workload.createdAt());
      return priority < PREEMPTOR_PRIORITY || (newerToo && newer);
    }

    /** Whether there is room without some of those who run; a bit of the set for each. */
    private boolean enoughWithout(int set) {
      long cpu = freeCpu;
      long memory = freeMemory;
      for (int at = 0; at < running.size(); at++) {
        if ((set & (1 << at)) != 0) {
          cpu += amount(running.get(at), ResourceName.CPU);
          memory += amount(running.get(at), ResourceName.MEMORY);
        }
      }
      return cpu >= amount(preemptor, ResourceName.CPU)
          && memory >= amount(preemptor, ResourceName.MEMORY);
    }

    private static long amount(Workload workload, ResourceName resource) {
      return workload.shape().podSets().get(0).requests().get(resource);
    }

    private int everybodyWhoMayGo() {
      int set = 0;
      for (int at = 0; at < running.size(); at++) {
        set |= mayGo(running.get(at)) ? 1 << at : 0;
      }
      return set;
    }

    private int evicted(List<Event> events) {
      int set = 0;
      for (Event event : events) {
        for (int at = 0; at < running.size(); at++) {
          boolean goes =
              event instanceof Event.AttemptDraining draining
                  && draining.attempt().job().equals(running.get(at).id());
          set |= goes ? 1 << at : 0;
        }
      }
      return set;
    }

    /** How many were evicted. */
    int check() {
      world.submit(preemptor);
      List<Event> events = world.round();
      int evicted = evicted(events);
      int mayGo = everybodyWhoMayGo();
      boolean admitted = events.stream().anyMatch(event -> event instanceof Event.Admitted);
      assertThat(evicted & ~mayGo).as("who was evicted and may not be").isZero();
      assertThat(admitted).as("admitted at once").isEqualTo(enoughWithout(0));
      assertThat(admitted || evicted != 0)
          .as("some set of victims is enough")
          .isEqualTo(enoughWithout(mayGo));
      // Each set of fewer victims, from all but one down to nobody.
      for (int fewer = (evicted - 1) & evicted;
          evicted != 0 && fewer != 0;
          fewer = (fewer - 1) & evicted) {
        assertThat(enoughWithout(fewer)).as("%s of %s is enough", fewer, evicted).isFalse();
      }
      assertThat(evicted != 0 && enoughWithout(0)).as("evicted for nothing").isFalse();
      return Integer.bitCount(evicted);
    }
  }

  /** P8, and that nobody waits whom evictions could help: against all sets of those who run. */
  @Test
  void victimsAreFoundIfThereAreAnyAndNoneCanBeSpared() {
    List<Integer> evicted = new ArrayList<>();
    Seeds.check(1_500, random -> evicted.add(new OneQueue(random).check()));
    assertThat(evicted).contains(0, 1, 2, 3);
  }

  /** Whoever is pending after a round is tried, those behind a head and those parked included. */
  @Test
  void nobodyIsLeftBehindWhoCouldBeAdmitted() {
    List<Integer> tried = new ArrayList<>();
    Seeds.check(
        30,
        random -> {
          World world = new World();
          RandomWorld inputs = new RandomWorld(random);
          inputs.setUp().forEach(world::input);
          for (int round = 0; round < ROUNDS; round++) {
            inputs.next(world.state()).forEach(world::input);
            world.clock().advance(inputs.pause());
            world.round();
            tried.add(tryEverybody(AdmissionState.restore(world.state().snapshot())));
          }
        });
    assertThat(tried).anyMatch(count -> count > 10);
  }

  private static int tryEverybody(AdmissionState state) {
    VictimSearch search = new VictimSearch(state);
    int tried = 0;
    for (JobEntry job : state.jobs()) {
      boolean pending = job.nextIndex(state.now()).isPresent();
      if (pending && state.admits(job.workload().queue()) && job.queue().mayTry(job)) {
        tried++;
        FlavorAssignment assignment = new FlavorAssigner(state, search).assign(job);
        assertThat(assignment.mode()).as("%s", job).isNotEqualTo(AssignmentMode.FIT);
        // Those behind evict for themselves only when it is their turn.
        if (assignment.mode() == AssignmentMode.PREEMPT
            && assignment.need() != null
            && job.queue().servedBefore(job) == null) {
          Usage usage = assignment.need().usage();
          assertThat(
                  search
                      .find(job, assignment.need())
                      .filter(victims -> !victims.nobody())
                      .filter(victims -> victims.permitted(state.plan().guard(), job, usage)))
              .as("%s could evict", job)
              .map(Victims::attempts)
              .isEmpty();
        }
      }
    }
    return tried;
  }
}
