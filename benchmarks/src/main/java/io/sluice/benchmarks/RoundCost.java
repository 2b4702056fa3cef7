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
   * @param args {@code usual} or {@code wide}; {@code classical}, {@code fair}, {@code preempting}
   *     or, with an elastic job, {@code elastic}; then how many jobs wait, each number in turn
   */
  public static void main(String[] args) {
    RoundWorld.Size size =
        "wide".equals(args[0]) ? RoundWorld.Size.wide(SHAPES) : RoundWorld.Size.usual(SHAPES);
    for (int at = 2; at < args.length; at++) {
      int pending = Integer.parseInt(args[at]);
      RoundWorld world = new RoundWorld(size, "fair".equals(args[1]), "preempting".equals(args[1]));
      world.fill(pending);
      if ("elastic".equals(args[1])) {
        world.addElasticJob();
      }
      double micros = 0;
      for (int time = 0; time <= WARM_UPS; time++) {
        micros = microsAnAdmission(world);
      }
      System.out.printf(
          "%s, %s, %,d pending: %.1f us an admission%n", args[0], args[1], pending, micros);
    }
  }

  private static double microsAnAdmission(RoundWorld world) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begun = threads.getCurrentThreadCpuTime();
    long admitted = 0;
    long spent = 0;
    while (spent < SECOND_NANOS) {
      admitted += world.round(ENDS);
      spent = threads.getCurrentThreadCpuTime() - begun;
    }
    return spent / 1e3 / admitted;
  }
}
