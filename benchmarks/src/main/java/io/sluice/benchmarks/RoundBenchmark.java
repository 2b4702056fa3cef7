// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Attempt;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.job.AttemptReport;
import io.sluice.queuemodel.job.Input;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.QueuePolicies;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.StopPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an admission costs, counted over whole rounds: each ends a hundred running jobs, takes in as
 * many new ones and admits whom it can, 30 ClusterQueues in 5 cohorts, most heads blocked.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@SuppressWarnings("NullAway.Init") // JMH fills the fields.
public class RoundBenchmark {
  private static final int QUEUES = 30;
  private static final int COHORTS = 5;
  private static final int ENDS = 100;
  private static final int EVENTS_MAX = 1_000_000;
  private static final long NOMINAL_MILLIS = 200_000;
  private static final String NAMESPACE = "default";

  /** Jobs in all queues that wait. */
  @Param({"1000", "10000", "100000"})
  int pending;

  /** How many different amounts they ask for. */
  @Param({"10", "1000"})
  int shapes;

  private SplittableRandom random;
  private AdmissionState state;
  private AdmissionEngine engine;
  private List<WorkloadShape> known;
  private Instant now;
  private long jobs;

  /** Fills the queues and admits what fits. */
  @Setup(Level.Trial)
  public void fill() {
    random = new SplittableRandom(1);
    state = new AdmissionState();
    engine = new AdmissionEngine(state);
    now = Instant.EPOCH;
    jobs = 0;
    known = new ArrayList<>();
    for (int shape = 0; shape < shapes; shape++) {
      known.add(shape(1_000L + 19_000L * shape / shapes));
    }
    List<Input> inputs = new ArrayList<>(objects());
    for (int job = 0; job < pending; job++) {
      inputs.add(new Input.SubmitJob(workload()));
    }
    engine.decide(inputs, now, EVENTS_MAX);
  }

  private static List<Input> objects() {
    List<Input> inputs = new ArrayList<>();
    inputs.add(
        new Input.SetObject(
            new ResourceFlavor(ObjectMeta.named("cpu"), Labels.NONE, List.of(), List.of()), 1));
    for (int number = 0; number < QUEUES; number++) {
      ResourceQuota quota = ResourceQuota.nominal(ResourceName.CPU, NOMINAL_MILLIS);
      inputs.add(
          new Input.SetObject(
              new ClusterQueue(
                  ObjectMeta.named("q" + number),
                  "c" + number % COHORTS,
                  List.of(
                      new ResourceGroup(
                          List.of(ResourceName.CPU),
                          List.of(new FlavorQuotas("cpu", List.of(quota))))),
                  QueuePolicies.DEFAULT),
              1));
      inputs.add(
          new Input.SetObject(
              new LocalQueue(
                  ObjectMeta.named(NAMESPACE, "q" + number), "q" + number, StopPolicy.NONE),
              1));
    }
    return inputs;
  }

  private static WorkloadShape shape(long millis) {
    return new WorkloadShape(
        List.of(
            new PodSet(
                "main", 1, ResourceList.of(ResourceName.CPU, millis), Labels.NONE, List.of())),
        null);
  }

  private Workload workload() {
    jobs++;
    return new Workload(
        new JobId(new UUID(jobs, 0)),
        "job",
        new QueueKey(NAMESPACE, "q" + random.nextInt(QUEUES)),
        new WorkloadPriority(random.nextInt(3), false),
        new Workload.Submitted(now.plusMillis(jobs), ""),
        known.get(random.nextInt(known.size())),
        JobLimits.DEFAULT,
        JobArray.SINGLE);
  }

  /** One round, per job that ended in it: about as many are admitted. */
  @Benchmark
  @OperationsPerInvocation(ENDS)
  public int round() {
    now = now.plusMillis(10);
    List<Input> inputs = new ArrayList<>();
    int ended = 0;
    for (Attempt attempt : state.attempts()) {
      if (ended == ENDS) {
        break;
      }
      inputs.add(
          new Input.Report(
              new AttemptReport(
                  attempt.key(), attempt.generation(), AttemptReport.Kind.FINISHED, null, "")));
      inputs.add(new Input.SubmitJob(workload()));
      ended++;
    }
    int events = engine.decide(inputs, now, EVENTS_MAX).events().size();
    state.collectChanges();
    return events;
  }
}
