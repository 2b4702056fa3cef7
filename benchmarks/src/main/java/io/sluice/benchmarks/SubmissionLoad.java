// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ExecutionException;

/**
 * Submits jobs concurrently to a live server on this machine and measures the time to the
 * acknowledgement. It stops by itself.
 *
 * <p>Usage: {@code java -cp benchmarks.jar io.sluice.benchmarks.SubmissionLoad URL NAMESPACE QUEUE
 * CALLERS SECONDS}
 */
final class SubmissionLoad {
  private static final int CALLERS_MAX = 256;
  private static final int SECONDS_MAX = 300;
  private static final int PER_CALLER_MAX = 200_000;
  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(2);

  private final URI server;
  private final String body;

  private SubmissionLoad(URI server, String namespace, String queue) {
    this.server = server;
    this.body = MeasuredServer.job(namespace, queue);
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 5) {
      System.err.println("usage: SubmissionLoad URL NAMESPACE QUEUE CALLERS SECONDS");
      System.exit(2);
    }
    URI server = Arguments.onThisMachine(arguments[0]);
    int callers = Arguments.between(1, CALLERS_MAX, arguments[3]);
    int seconds = Arguments.between(1, SECONDS_MAX, arguments[4]);
    SubmissionLoad load = new SubmissionLoad(server, arguments[1], arguments[2]);
    load.run(1, 3);
    load.run(callers, 3);
    print(callers, seconds, load.run(callers, seconds));
  }

  /** The times to acknowledgement in nanoseconds, in order of size. */
  private long[] run(int callers, int seconds) throws InterruptedException, ExecutionException {
    long deadline = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    return Times.of(callers, () -> call(deadline));
  }

  private long[] call(long deadline) throws IOException, InterruptedException {
    MeasuredServer called = new MeasuredServer(server, ANSWER_LIMIT);
    long[] times = new long[PER_CALLER_MAX];
    int count = 0;
    while (System.nanoTime() < deadline && count < PER_CALLER_MAX) {
      HttpRequest.Builder request =
          called
              .request("/v1/jobs")
              .header("Idempotency-Key", UUID.randomUUID().toString())
              .POST(BodyPublishers.ofString(body));
      long begun = System.nanoTime();
      called.send(request, MeasuredServer.CREATED);
      times[count] = System.nanoTime() - begun;
      count++;
    }
    return Arrays.copyOf(times, count);
  }

  private static void print(int callers, int seconds, long[] times) {
    System.out.printf(
        "%d callers, %d s: %d acknowledged, %.0f /s; ms to acknowledgement: p50 %.1f, p90 %.1f,"
            + " p99 %.1f, most %.1f%n",
        callers,
        seconds,
        times.length,
        (double) times.length / seconds,
        Times.millis(times, 50),
        Times.millis(times, 90),
        Times.millis(times, 99),
        Times.millis(times, 100));
  }
}
