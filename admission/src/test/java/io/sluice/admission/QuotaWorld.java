// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import io.sluice.testing.ClusterQueueBuilder;
import io.sluice.testing.WorkloadBuilder;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Random inputs of a world in which quota alone decides: many queues in trees of cohorts, nearly
 * all with one flavor to offer, and short of room.
 */
public final class QuotaWorld {
  private static final String NAMESPACE = "default";
  private static final int COHORTS = 9;
  private static final String[] WEIGHTS = {"1", "1", "1", "0.5", "3", "0"};

  private final SplittableRandom random;
  private final int queues;

  /** How many queues of a hundred have something else than most. */
  private final int unlike;

  /** How many amounts of a hundred may be borrowed or lent in part only. */
  private final int borrowingLimits;

  private final int lendingLimits;
  private final int evicting;

  /** How many attempts of a hundred end in a round at most. */
  private final int ending;

  private long jobs;

  public QuotaWorld(SplittableRandom random, int unlike) {
    this(random, unlike, 4 + random.nextInt(36), unlike, unlike, unlike / 4, 65);
  }

  private QuotaWorld(
      SplittableRandom random,
      int unlike,
      int queues,
      int borrowingLimits,
      int lendingLimits,
      int evicting,
      int ending) {
    this.random = random;
    this.unlike = unlike;
    this.queues = queues;
    this.borrowingLimits = borrowingLimits;
    this.lendingLimits = lendingLimits;
    this.evicting = evicting;
    this.ending = ending;
  }

  /** A world of larger trees in which all quota is lent, and no policy permits eviction. */
  static QuotaWorld lending(SplittableRandom random) {
    int unlike = random.nextBoolean() ? 0 : random.nextInt(25);
    int limits = random.nextInt(3) == 0 ? random.nextInt(10) : 0;
    return new QuotaWorld(random, unlike, 10 + random.nextInt(70), limits, 0, 0, 12);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  /** Flavors, cohorts up to three deep, and queues, of which some stand alone. */
  public List<Input> setUp() {
    List<Input> inputs = new ArrayList<>();
    for (String flavor : List.of("plain", "other")) {
      inputs.add(
          new Input.SetObject(
              new ResourceFlavor(ObjectMeta.named(flavor), Labels.NONE, List.of(), List.of()), 1));
    }
    for (int number = 0; number < COHORTS; number++) {
      inputs.add(cohort(number));
    }
    for (int number = 0; number < queues; number++) {
      inputs.add(new Input.SetObject(queue(number), 1));
      inputs.add(
          new Input.SetObject(
              new LocalQueue(
                  ObjectMeta.named(NAMESPACE, "q" + number), "q" + number, StopPolicy.NONE),
              1));
    }
    return inputs;
  }

  /** The first two are roots, each other is below one that comes before it. */
  private Input cohort(int number) {
    String parent = number < 2 ? null : "c" + random.nextInt(Math.min(number, 4));
    ClusterQueueBuilder builder = ClusterQueueBuilder.named("c" + number).cohort(parent);
    if (chance(30)) {
      builder.quota("plain", quota(ResourceName.CPU, random.nextInt(20)));
    }
    return new Input.SetObject(builder.policies(this::weighted).buildCohort(), 1);
  }

  private QueuePolicies weighted(QueuePolicies policies) {
    return policies.withFairWeight(
        new FairWeight(new BigDecimal(WEIGHTS[random.nextInt(WEIGHTS.length)])));
  }

  private ResourceQuota quota(ResourceName resource, long nominal) {
    return new ResourceQuota(
        resource,
        nominal,
        chance(borrowingLimits) ? (long) random.nextInt(20) : null,
        chance(lendingLimits) ? (long) random.nextInt(10) : null);
  }

  private ClusterQueue queue(int number) {
    String cohort = chance(10) ? null : "c" + random.nextInt(COHORTS);
    ClusterQueueBuilder builder =
        ClusterQueueBuilder.named("q" + number)
            .cohort(cohort)
            .quota("plain", quota(ResourceName.CPU, random.nextInt(30)))
            .policies(this::weighted);
    if (chance(50)) {
      builder.quota("plain", quota(ResourceName.MEMORY, random.nextInt(30)));
    }
    if (chance(unlike)) {
      builder.quota("other", quota(ResourceName.CPU, random.nextInt(10)));
    }
    if (chance(unlike)) {
      builder.policies(policies -> policies.withQueueingStrategy(QueueingStrategy.STRICT_FIFO));
    }
    if (chance(evicting)) {
      builder.preemption(
          new QueuePreemption(
              PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY, PreemptionPolicy.NEVER, null));
    }
    return builder.build();
  }

  /** Jobs that come, end, are cancelled; now and then a quota is another. */
  List<Input> next(AdmissionState state, Instant now) {
    List<Input> inputs = new ArrayList<>();
    int coming = random.nextInt(3 * queues);
    for (int job = 0; job < coming; job++) {
      inputs.add(new Input.SubmitJob(workload(now).build()));
    }
    int ends = 5 + random.nextInt(ending - 5);
    for (Attempt attempt : state.attempts()) {
      if (attempt.draining() || chance(ends)) {
        AttemptReport.Kind kind =
            attempt.draining() ? AttemptReport.Kind.DRAINED : AttemptReport.Kind.FINISHED;
        inputs.add(
            new Input.Report(
                new AttemptReport(attempt.key(), attempt.generation(), kind, null, "")));
      }
    }
    for (JobEntry job : state.jobs()) {
      if (chance(2)) {
        inputs.add(new Input.CancelJob(job.id(), "somebody"));
      }
    }
    if (chance(10)) {
      inputs.add(new Input.SetObject(queue(random.nextInt(queues)), 2));
    }
    return inputs;
  }

  private WorkloadBuilder workload(Instant now) {
    jobs++;
    WorkloadBuilder job =
        WorkloadBuilder.named("job", jobs)
            .queue(NAMESPACE, "q" + random.nextInt(queues))
            .priority(random.nextInt(3), chance(unlike / 10))
            .createdAt(now.minusMillis(random.nextInt(4000)));
    TreeMap<ResourceName, Long> asked = new TreeMap<>();
    asked.put(ResourceName.CPU, 1L + random.nextInt(12));
    if (chance(40)) {
      asked.put(ResourceName.MEMORY, (long) random.nextInt(8));
    }
    job.requests(new ResourceList(asked));
    if (chance(unlike)) {
      job.headPod(ResourceName.CPU, 1 + random.nextInt(3));
    }
    return job;
  }
}
