// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.pending;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.admission.state.usage.Shapes;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.Seeds;
import io.sluice.testing.WorkloadBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Parked and passed over jobs, against a set of the shapes that are left out. */
class PendingIndexTest {
  private static final int STEPS = 600;
  private static final int SHAPES = 40;

  /** More jobs than a block has. */
  private static final int JOBS = 400;

  /** A pending index, and what it should answer by a look at each job. */
  private static final class Queue {
    private final PendingIndex index = new PendingIndex();
    private final Shapes shapes = new Shapes();
    private final QueueState queue =
        new QueueState(ClusterQueueBuilder.named("q").build(), new PendingIndex());
    private final TreeSet<JobEntry> jobs = new TreeSet<>();
    private final Set<Integer> leftOut = new TreeSet<>();
    private int passed;
    private int created;

    void add(SplittableRandom random) {
      created++;
      var workload =
          WorkloadBuilder.named("job", created)
              .priority(random.nextInt(3), false)
              .createdAt(Instant.EPOCH.plusSeconds(random.nextInt(100)))
              .requests(1, ResourceName.CPU, 1 + random.nextInt(SHAPES))
              .build();
      JobEntry job = new JobEntry(workload, shapes.acquire(workload.shape()), queue);
      index.add(job, null, 0);
      jobs.add(job);
      if (job.equals(firstOfShape(job.shapeNumber()))) {
        leftOut.remove(job.shapeNumber());
      }
    }

    void remove(JobEntry job) {
      index.remove(job);
      jobs.remove(job);
      if (firstOfShape(job.shapeNumber()) == null) {
        leftOut.remove(job.shapeNumber());
      }
    }

    private @Nullable JobEntry firstOfShape(int shape) {
      return jobs.stream().filter(job -> job.shapeNumber() == shape).findFirst().orElse(null);
    }

    /** The first of each shape that is not left out, in order. */
    private List<JobEntry> heads() {
      TreeMap<Integer, JobEntry> firsts = new TreeMap<>();
      jobs.forEach(job -> firsts.putIfAbsent(job.shapeNumber(), job));
      firsts.keySet().removeAll(leftOut);
      return firsts.values().stream().sorted().toList();
    }

    private @Nullable JobEntry head(Prospect prospect) {
      return heads().stream()
          .filter(job -> prospect.allows(demand(job), 0, 1, 0, job.priority()))
          .findFirst()
          .orElse(null);
    }

    private static long[] demand(JobEntry job) {
      return job.shape().demand();
    }

    void passBefore(JobEntry head) {
      List<JobEntry> before = heads().stream().filter(job -> job.compareTo(head) < 0).toList();
      assertThat(index.passBefore(head)).isEqualTo(!before.isEmpty());
      before.forEach(job -> leftOut.add(job.shapeNumber()));
      passed += before.size();
    }

    void passAll() {
      List<JobEntry> all = heads();
      assertThat(index.passAll()).isEqualTo(!all.isEmpty());
      all.forEach(job -> leftOut.add(job.shapeNumber()));
      passed += all.size();
    }

    void step(SplittableRandom random) {
      Prospect prospect = new Prospect(new long[] {1 + random.nextInt(SHAPES)}, List.of());
      JobEntry head = index.head(QueueingStrategy.BEST_EFFORT_FIFO, prospect);
      assertThat(head).isEqualTo(head(prospect));
      int kind = random.nextInt(20);
      if (kind < 8) {
        add(random);
      } else if (kind < 10 && !jobs.isEmpty()) {
        remove(jobs.stream().skip(random.nextInt(jobs.size())).findFirst().orElseThrow());
      } else if (kind == 10) {
        index.unpark();
        leftOut.clear();
      } else if (kind == 11) {
        passAll();
      } else if (head != null) {
        passBefore(head);
        if (kind < 16) {
          index.park(head);
          leftOut.add(head.shapeNumber());
        } else if (kind < 18) {
          remove(head);
        }
      }
    }

    void check() {
      assertThat(index.head(QueueingStrategy.BEST_EFFORT_FIFO, Prospect.EVERYTHING))
          .isEqualTo(head(Prospect.EVERYTHING));
      assertThat(index.first()).isEqualTo(jobs.isEmpty() ? null : jobs.first());
      for (JobEntry job : jobs) {
        assertThat(index.isParked(job)).isEqualTo(leftOut.contains(job.shapeNumber()));
      }
      long[] least = {Long.MAX_VALUE};
      index.lowerToHeads(least, 0, 1);
      assertThat(heads()).allMatch(job -> least[0] <= demand(job)[0]);
    }
  }

  @Test
  void whatIsParkedOrPassedOverIsLeftOutUntilItIsTakenBackIn() {
    int[] passed = {0};
    Seeds.check(
        60,
        random -> {
          Queue queue = new Queue();
          int before = random.nextInt(JOBS);
          for (int job = 0; job < before; job++) {
            queue.add(random);
          }
          for (int step = 0; step < STEPS; step++) {
            queue.step(random);
            queue.check();
          }
          passed[0] += queue.passed;
        });
    // Else nothing was tried.
    assertThat(passed[0]).isGreaterThan(10_000);
  }

  /** Arrivals and departures leave the jobs out that were passed over before. */
  @Test
  void aJobThatComesIntoAnExhaustedQueueIsTriedAlone() {
    Queue queue = new Queue();
    SplittableRandom random = new SplittableRandom(1);
    queue.add(random);
    queue.passAll();
    JobEntry old = queue.jobs.first();
    while (queue.heads().isEmpty()) {
      queue.add(random);
    }
    JobEntry head = queue.index.head(QueueingStrategy.BEST_EFFORT_FIFO, Prospect.EVERYTHING);
    assertThat(head).isNotNull().isNotEqualTo(old);
    assertThat(queue.index.isParked(old)).isTrue();
    queue.index.unpark();
    assertThat(queue.index.isParked(old)).isFalse();
  }
}
