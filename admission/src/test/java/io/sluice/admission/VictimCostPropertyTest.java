// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.scenario.World;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.Seeds;
import io.sluice.testing.WorkloadBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A planned queue preempts when Kueue would, and loses no more work than by Kueue's order. */
class VictimCostPropertyTest {
  private static final String NAMESPACE = "default";
  private static final String FLAVOR = "default";
  private static final String QUEUE = "queue";
  private static final String HIGH = "high";
  private static final int CPUS = 24;

  /** A queue full of work of low priority that has started, and saved, at different times. */
  private static final class Story {
    final World world = new World();
    final TreeMap<String, Long> sizes = new TreeMap<>();
    final TreeMap<String, Instant> safeSince = new TreeMap<>();

    Story(SplittableRandom random, Queueing queueing) {
      set(new ResourceFlavor(ObjectMeta.named(FLAVOR), Labels.NONE, List.of(), List.of()));
      set(
          ClusterQueueBuilder.named(QUEUE)
              .nominal(FLAVOR, ResourceName.CPU, CPUS * 1000L)
              .preemption(
                  new QueuePreemption(
                      PreemptionPolicy.LOWER_PRIORITY,
                      PreemptionPolicy.NEVER,
                      PreemptionPolicy.NEVER,
                      null))
              .policies(policies -> policies.withQueueing(queueing))
              .build());
      set(new LocalQueue(ObjectMeta.named(NAMESPACE, QUEUE), QUEUE, StopPolicy.NONE));
      for (int free = CPUS; free > 0; ) {
        free -= Math.toIntExact(work(random.nextInt(1, Math.min(9, free + 1))));
        wait(random);
      }
      for (String name : sizes.keySet()) {
        if (random.nextBoolean()) {
          report(name, AttemptReport.Kind.CHECKPOINT);
        }
        wait(random);
      }
    }

    private void set(QuotaObject object) {
      world.input(new Input.SetObject(object, 1));
    }

    private void wait(SplittableRandom random) {
      world.clock().advance(Duration.ofSeconds(random.nextInt(1, 600)));
    }

    private long work(long cpus) {
      String name = "job-" + sizes.size();
      submit(name, 0, cpus);
      sizes.put(name, cpus);
      report(name, AttemptReport.Kind.STARTED);
      return cpus;
    }

    private void report(String name, AttemptReport.Kind kind) {
      world.report(name, 0, kind);
      world.round();
      safeSince.put(name, world.clock().now());
    }

    List<Event> submit(String name, int priority, long cpus) {
      world.submit(
          WorkloadBuilder.named(name, sizes.size() + 1L)
              .queue(NAMESPACE, QUEUE)
              .priority(priority, false)
              .createdAt(world.clock().now())
              .requests(1, ResourceName.CPU, cpus * 1000)
              .build());
      return world.round();
    }

    List<String> preempted(List<Event> events) {
      List<String> names = new ArrayList<>();
      for (Event event : events) {
        if (event instanceof Event.AttemptDraining draining) {
          names.add(world.nameOf(draining.job()));
        }
      }
      return names;
    }

    /** The lost work, in cpu seconds. */
    long lost(List<String> victims) {
      return victims.stream()
          .mapToLong(
              name ->
                  size(name)
                      * Duration.between(
                              safeSince.getOrDefault(name, Instant.MAX), world.clock().now())
                          .toSeconds())
          .sum();
    }

    long size(String name) {
      return sizes.getOrDefault(name, 0L);
    }

    long room(List<String> victims) {
      return victims.stream().mapToLong(this::size).sum();
    }
  }

  @Test
  void noMoreWorkIsLostThanByKueuesOrder() {
    int[] cheaper = new int[1];
    Seeds.check(
        200,
        random -> {
          long seed = random.nextLong();
          long wanted = random.nextLong(1, CPUS + 1);
          Story planned = new Story(new SplittableRandom(seed), Queueing.planned(1));
          Story kueue = new Story(new SplittableRandom(seed), Queueing.KUEUE);
          List<String> byCost = planned.preempted(planned.submit(HIGH, 1, wanted));
          List<String> inOrder = kueue.preempted(kueue.submit(HIGH, 1, wanted));
          assertThat(inOrder).isNotEmpty();
          assertThat(planned.room(byCost)).isGreaterThanOrEqualTo(wanted);
          assertThat(byCost)
              .as("each victim is needed")
              .allSatisfy(
                  name -> assertThat(planned.room(byCost) - planned.size(name)).isLessThan(wanted));
          assertThat(planned.lost(byCost)).isLessThanOrEqualTo(kueue.lost(inOrder));
          cheaper[0] += planned.lost(byCost) < kueue.lost(inOrder) ? 1 : 0;
        });
    assertThat(cheaper[0]).as("worlds in which the cost decides").isGreaterThan(50);
  }
}
