// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/**
 * Sends the same request again and again from many readers to a live server on this machine. It
 * stops by itself.
 *
 * <p>Usage: {@code java -cp benchmarks.jar io.sluice.benchmarks.ReadLoad URL PATH READERS SECONDS}
 */
final class ReadLoad {
  private static final int READERS_MAX = 256;
  private static final int SECONDS_MAX = 300;
  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(2);

  private ReadLoad() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 4) {
      System.err.println("usage: ReadLoad URL PATH READERS SECONDS");
      System.exit(2);
    }
    MeasuredServer server = new MeasuredServer(Arguments.onThisMachine(arguments[0]), ANSWER_LIMIT);
    int readers = Arguments.between(1, READERS_MAX, arguments[2]);
    int seconds = Arguments.between(1, SECONDS_MAX, arguments[3]);
    AtomicInteger refused = new AtomicInteger();
    long deadline = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    long[] times = Times.of(readers, () -> read(server, arguments[1], deadline, refused));
    Times.print(
        "%d readers, %d s, %d answers of another status".formatted(readers, seconds, refused.get()),
        times);
  }

  private static long[] read(
      MeasuredServer server, String path, long deadline, AtomicInteger refused)
      throws IOException, InterruptedException {
    LongStream.Builder times = LongStream.builder();
    while (System.nanoTime() < deadline) {
      long begun = System.nanoTime();
      if (server.status(path) == MeasuredServer.OK) {
        times.add(System.nanoTime() - begun);
      } else {
        refused.incrementAndGet();
        Thread.sleep(100);
      }
    }
    return times.build().toArray();
  }
}
