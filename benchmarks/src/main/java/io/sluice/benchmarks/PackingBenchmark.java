// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import io.sluice.admission.topology.SlicePool;
import io.sluice.admission.topology.SliceTable;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Forming;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
 * Chooses the slices of one job from cubes in blocks of 100, a third of which have a part in use.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH fills the fields.
public class PackingBenchmark {
  private static final int HOSTS = 16;
  private static final int CUBES_PER_BLOCK = 100;
  private static final int SLICES_MAX = 64;

  /** How many cubes the fleet has. */
  @Param({"100", "10000"})
  int cubes;

  /** What is asked for: one slice of this shape, or many if it is smaller than two cubes. */
  @Param({"8x8x8", "2x2x4", "4x4x4"})
  String shape;

  private SliceTable table;
  private SlicePool pool;
  private int wanted;

  /** Builds the fleet and what is in use of it. */
  @Setup(Level.Trial)
  public void fill() {
    Forming[] blocks = new Forming[(cubes + CUBES_PER_BLOCK - 1) / CUBES_PER_BLOCK];
    List<SliceTopology> parts =
        Stream.of("2x2x1", "2x2x2", "2x2x4", "2x4x4").map(SliceTopology::parse).toList();
    for (int block = 0; block < blocks.length; block++) {
      blocks[block] = new Forming("block-" + block, parts);
    }
    List<Slice> slices = new ArrayList<>();
    for (int number = 0; number < cubes; number++) {
      String name = "cube-" + number;
      slices.add(
          new Slice(
              name,
              "tpu7x",
              SliceTopology.parse("4x4x4"),
              CapacityType.RESERVATION,
              Labels.NONE,
              IntStream.range(0, HOSTS).mapToObj(host -> name + "-" + host).toList(),
              blocks[number / CUBES_PER_BLOCK]));
    }
    table = new SliceTable();
    table.setFleet(
        new Fleet(ExecutorKind.SIMULATED, List.of(), slices),
        List.of(new ResourceFlavor(ObjectMeta.named("cubes"), Labels.NONE, List.of(), List.of())));
    for (int number = 0; number < cubes; number += 3) {
      AttemptKey holder = new AttemptKey(new JobId(new UUID(0, number)), 0, 1);
      table.hold(List.of("cube-" + number + "/2x2x1-" + number % HOSTS), holder);
    }
    SliceTopology topology = SliceTopology.parse(shape);
    pool = new SlicePool("cubes", "tpu7x", topology, (int) (topology.chips() / 4));
    wanted = topology.chips() > HOSTS * 4 ? 1 : SLICES_MAX;
    if (choose().size() != wanted) {
      throw new IllegalStateException("another world than was meant");
    }
  }

  /** All slices of a job, by name. */
  @Benchmark
  public List<String> choose() {
    return table.free(pool, wanted);
  }

  /** How many there are, as for an explanation. */
  @Benchmark
  public int count() {
    return table.countFree(pool, null);
  }
}
