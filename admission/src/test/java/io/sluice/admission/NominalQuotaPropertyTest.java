// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.scenario.World;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.Seeds;
import io.sluice.testing.WorkloadBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A job within the nominal quota of its queue is not kept waiting by those who borrow that quota.
 */
class NominalQuotaPropertyTest {
  private static final String NAMESPACE = "default";
  private static final String FLAVOR = "default";
  private static final int BACKLOG = 6;

  /** Queues of one cohort; all but the first have always more small jobs waiting. */
  private static final class Cohort {
    final World world = new World();
    final SplittableRandom random;
    final int queues;
    final long owned;
    private long number;

    Cohort(SplittableRandom random) {
      this.random = random;
      this.queues = random.nextInt(2, 5);
      this.owned = random.nextLong(2, 9);
      set(new ResourceFlavor(ObjectMeta.named(FLAVOR), Labels.NONE, List.of(), List.of()));
      for (int queue = 0; queue < queues; queue++) {
        set(queue(queue, queue == 0 ? owned : random.nextLong(0, 5)));
        set(new LocalQueue(ObjectMeta.named(NAMESPACE, name(queue)), name(queue), StopPolicy.NONE));
      }
    }

    private QuotaObject queue(int queue, long nominal) {
      PreemptionPolicy reclaim =
          random.nextBoolean() ? PreemptionPolicy.NEVER : PreemptionPolicy.LOWER_PRIORITY;
      QueuePreemption preemption =
          new QueuePreemption(PreemptionPolicy.NEVER, reclaim, PreemptionPolicy.NEVER, null);
      boolean strict = random.nextBoolean();
      return ClusterQueueBuilder.named(name(queue))
          .cohort("lab")
          .nominal(FLAVOR, ResourceName.CPU, nominal * 1000)
          .preemption(preemption)
          .policies(
              policies ->
                  strict ? policies.withQueueingStrategy(QueueingStrategy.STRICT_FIFO) : policies)
          .build();
    }

    private static String name(int queue) {
      return "queue-" + queue;
    }

    private void set(QuotaObject object) {
      world.input(new Input.SetObject(object, 1));
    }

    String submit(int queue, long cpus) {
      number++;
      String name = "job-" + number;
      world.submit(
          WorkloadBuilder.named(name, number)
              .queue(NAMESPACE, name(queue))
              .createdAt(world.clock().now())
              .requests(1, ResourceName.CPU, cpus * 1000)
              .build());
      return name;
    }

    /** Lets the small jobs of the other queues wait in line, and decides. */
    void round() {
      for (int queue = 1; queue < queues; queue++) {
        for (int more = 0; more < BACKLOG; more++) {
          submit(queue, random.nextLong(1, 3));
        }
      }
      world.round();
    }

    Set<AttemptKey> running() {
      Set<AttemptKey> keys = new TreeSet<>();
      for (Attempt attempt : world.state().attempts()) {
        keys.add(attempt.key());
      }
      return keys;
    }

    void finish(AttemptKey attempt) {
      for (AttemptReport.Kind kind :
          List.of(AttemptReport.Kind.STARTED, AttemptReport.Kind.FINISHED)) {
        world.input(new Input.Report(new AttemptReport(attempt, 1, kind, null, "")));
      }
    }
  }

  @Test
  void aJobWithinNominalQuotaStartsWhenThoseHaveEndedThatRanBefore() {
    Seeds.check(
        100,
        random -> {
          Cohort cohort = new Cohort(random);
          cohort.round();
          String big = cohort.submit(0, random.nextLong(1, cohort.owned + 1));
          cohort.round();
          Set<AttemptKey> before = cohort.running();
          while (isPending(cohort, big)) {
            List<AttemptKey> running = new ArrayList<>(cohort.running());
            before.retainAll(running);
            assertThat(before).as("ran before, and keep %s from its quota", big).isNotEmpty();
            cohort.finish(running.get(random.nextInt(running.size())));
            cohort.round();
          }
        });
  }

  private static boolean isPending(Cohort cohort, String name) {
    JobEntry job = cohort.world.job(name);
    return job != null && job.live().isEmpty();
  }
}
