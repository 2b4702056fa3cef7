// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Measures the cost of an admission like {@link RoundBenchmark}, but in CPU time of the deciding
 * thread, for machines with other load. Collections of garbage are not in it.
 */
final class RoundCost {
  private static final int SHAPES = 1_000;
  private static final int ENDS = 100;
  private static final int WARM_UPS = 6;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private RoundCost() {}

  /**
   * Fills the queues, warms up, and measures for as long as for one warm-up.
   *
   * @param args {@code usual}, {@code wide}, or {@code single} for a wide world in which one job
   *     ends in each round; {@code classical}, {@code fair}, {@code preempting} or, with an elastic
   *     job, {@code elastic}; then how many jobs wait, each number in turn
   */
  public static void main(String[] args) {
    boolean usual = "usual".equals(args[0]);
    RoundWorld.Size size = usual ? RoundWorld.Size.usual(SHAPES) : RoundWorld.Size.wide(SHAPES);
    int ends = "single".equals(args[0]) ? 1 : ENDS;
    for (int at = 2; at < args.length; at++) {
      int pending = Integer.parseInt(args[at]);
      RoundWorld world = new RoundWorld(size, "fair".equals(args[1]), "preempting".equals(args[1]));
      world.fill(pending);
      if ("elastic".equals(args[1])) {
        world.addElasticJob();
      }
      for (int time = 0; time < WARM_UPS; time++) {
        measure(world, ends);
      }
      System.out.printf(
          "%s, %s, %,d pending: %s%n", args[0], args[1], pending, measure(world, ends));
    }
  }

  private static String measure(RoundWorld world, int ends) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begun = threads.getCurrentThreadCpuTime();
    long admitted = 0;
    long rounds = 0;
    long spent = 0;
    while (spent < SECOND_NANOS) {
      admitted += world.round(ends);
      rounds++;
      spent = threads.getCurrentThreadCpuTime() - begun;
    }
    double micros = spent / 1e3;
    return "%.1f us an admission, %,.0f us a round".formatted(micros / admitted, micros / rounds);
  }
}
