// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * Measures the cost of an admission over whole rounds. Each round ends a hundred running jobs,
 * takes in as many new ones and admits what fits; most heads are blocked. The counter {@code
 * admitted} is the time of one admission; the score is that of a round.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@SuppressWarnings("NullAway.Init") // JMH fills the fields.
public class RoundBenchmark {
  private static final int ENDS = 100;

  /** Jobs in all queues that wait. */
  @Param({"1000", "10000", "100000", "1000000"})
  int pending;

  /** How many different amounts they ask for. */
  @Param({"10", "1000"})
  int shapes;

  /** 30 ClusterQueues in 5 cohorts, or 10,000 in 1,000 cohorts of a tree four deep. */
  @Param({"usual", "wide"})
  String world;

  /** Who is served first, and who may evict whom. */
  @Param({"classical", "fair", "preempting"})
  String rules;

  private RoundWorld rounds;

  /** Counts over an iteration. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Counts {
    public long admitted;
  }

  /** Fills the queues and admits what fits. */
  @Setup(Level.Trial)
  public void fill() {
    RoundWorld.Size size =
        "wide".equals(world) ? RoundWorld.Size.wide(shapes) : RoundWorld.Size.usual(shapes);
    rounds = new RoundWorld(size, "fair".equals(rules), "preempting".equals(rules));
    rounds.fill(pending);
  }

  @Benchmark
  public int round(Counts counts) {
    int admitted = rounds.round(ENDS);
    counts.admitted += admitted;
    return admitted;
  }
}
