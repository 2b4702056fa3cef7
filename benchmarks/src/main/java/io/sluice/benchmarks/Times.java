// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Times that were measured, in nanoseconds of {@link System#nanoTime}. */
final class Times {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  private Times() {}

  static double secondsSince(long begun) {
    return (System.nanoTime() - begun) / NANOS_PER_SECOND;
  }

  /** Runs a task in so many threads at once, and returns the times of all of them, sorted. */
  static long[] of(int threads, Callable<long[]> task)
      throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<long[]> times = new ArrayList<>();
      for (Future<long[]> future : pool.invokeAll(Collections.nCopies(threads, task))) {
        times.add(future.get());
      }
      return times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    } finally {
      pool.shutdownNow();
    }
  }

  /** Returns a percentile of sorted times in milliseconds, by nearest rank; 0 if there are none. */
  static double millis(long[] sorted, int percent) {
    if (sorted.length == 0) {
      return 0;
    }
    int at = Math.max(0, (int) Math.ceil(sorted.length * percent / 100.0) - 1);
    return sorted[at] / NANOS_PER_MILLI;
  }

  /** Prints the middle, the 99th percentile and the longest of times, which it sorts. */
  static void print(String what, long[] times) {
    Arrays.sort(times);
    System.out.printf(
        "%s, ms: p50 %.1f, p99 %.1f, most %.1f of %d%n",
        what, millis(times, 50), millis(times, 99), millis(times, 100), times.length);
  }
}
