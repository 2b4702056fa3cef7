// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import io.sluice.admission.AdmissionEngine;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.preemption.VictimSearch;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long it takes to find flavors and victims for one preemptor, where a thousand attempts of
 * lower priority are candidates: in its own queue, or in nine others that borrow.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@SuppressWarnings("NullAway.Init") // JMH fills the fields.
public class PreemptionBenchmark {
  private static final int CANDIDATES = 1_000;
  private static final int QUEUES = 10;
  private static final long CORE = 1_000;
  private static final QueuePreemption EVICTS =
      new QueuePreemption(
          PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY, PreemptionPolicy.NEVER, null);

  /** Whose the candidates are. */
  @Param({"own", "others"})
  String queues;

  /** How many of them must go. */
  @Param({"1", "100", "1000"})
  int victims;

  private AdmissionState state;
  private JobEntry preemptor;

  /** Has the candidates run, and the preemptor wait. */
  @Setup(Level.Trial)
  public void fill() {
    boolean own = "own".equals(queues);
    state = new AdmissionState();
    List<Input> inputs = new ArrayList<>();
    inputs.add(WorldObjects.flavor());
    for (int number = 0; number < QUEUES; number++) {
      long nominal = number == 0 ? CANDIDATES * CORE : 0;
      inputs.add(WorldObjects.clusterQueue("q" + number, "all", nominal, EVICTS));
      inputs.add(WorldObjects.localQueue("q" + number));
    }
    for (int number = 1; number <= CANDIDATES; number++) {
      String queue = own ? "q0" : "q" + (1 + number % (QUEUES - 1));
      Instant createdAt = Instant.EPOCH.plusSeconds(number);
      inputs.add(
          new Input.SubmitJob(
              WorldObjects.workload(number, queue, 0, createdAt, WorldObjects.shape(CORE))));
    }
    new AdmissionEngine(state).decide(inputs, Instant.EPOCH, 10 * CANDIDATES);
    Workload waiting =
        WorldObjects.workload(
            CANDIDATES + 1, "q0", 1, Instant.EPOCH, WorldObjects.shape(victims * CORE));
    state.apply(new Event.JobEnqueued(waiting), Instant.EPOCH);
    preemptor = Objects.requireNonNull(state.findJob(waiting.id()));
    if (state.attempts().size() != CANDIDATES || search().attempts().size() != victims) {
      throw new IllegalStateException("another world than was meant");
    }
  }

  @Benchmark
  public Victims search() {
    VictimSearch search = new VictimSearch(state);
    FlavorAssignment assignment = new FlavorAssigner(state, search).assign(preemptor);
    return search.find(preemptor, Objects.requireNonNull(assignment.need())).orElseThrow();
  }
}
