// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.lang.management.ManagementFactory;

/**
 * Measures the heap of a deep queue, and whether it grows over many rounds. Used heap is looked at
 * after a full collection.
 */
final class LongRun {
  private static final int SHAPES = 1_000;
  private static final int ENDS = 10;
  private static final double MIB = 1 << 20;

  private LongRun() {}

  /**
   * Fills the queues, and runs rounds.
   *
   * @param args how many jobs wait, how many rounds to run, after how many to look at the heap, and
   *     after how many seconds to stop
   */
  public static void main(String[] args) {
    int pending = Integer.parseInt(args[0]);
    long rounds = Long.parseLong(args[1]);
    long between = Long.parseLong(args[2]);
    long end = System.nanoTime() + Long.parseLong(args[3]) * 1_000_000_000L;
    RoundWorld world = new RoundWorld(RoundWorld.Size.usual(SHAPES), false, false);
    world.fill(pending);
    tell(world, 0);
    long round = 0;
    while (round < rounds && System.nanoTime() < end) {
      world.round(ENDS);
      round++;
      if (round % between == 0 || round == rounds) {
        tell(world, round);
      }
    }
    if (round < rounds) {
      tell(world, round);
      System.out.println("stopped by the time, before all rounds were run");
    }
  }

  private static void tell(RoundWorld world, long round) {
    System.gc();
    long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    int jobs = world.state().jobs().size();
    System.out.printf(
        "round %,d: %,d jobs, %.1f MiB used after a collection, %.0f bytes a job%n",
        round, jobs, used / MIB, (double) used / jobs);
  }
}
