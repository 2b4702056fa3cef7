// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Submits jobs concurrently to a live server on this machine and measures the time to the
 * acknowledgement. It stops by itself.
 *
 * <p>Usage: {@code java -cp benchmarks.jar io.sluice.benchmarks.SubmissionLoad URL NAMESPACE QUEUE
 * CALLERS SECONDS}
 */
final class SubmissionLoad {
  private static final int CREATED = 201;
  private static final int CALLERS_MAX = 256;
  private static final int SECONDS_MAX = 300;
  private static final int PER_CALLER_MAX = 200_000;
  private static final double NANOS_PER_MILLI = 1e6;

  private final URI jobs;
  private final String body;

  private SubmissionLoad(URI server, String namespace, String queue) {
    this.jobs = server.resolve("/v1/jobs");
    this.body =
        """
        {"apiVersion":"sluice.io/v1","kind":"Job",
         "metadata":{"name":"load","namespace":"%s"},
         "spec":{"queue":"%s","command":["true"],"requests":{"cpu":"1"}}}
        """
            .formatted(namespace, queue);
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 5) {
      System.err.println("usage: SubmissionLoad URL NAMESPACE QUEUE CALLERS SECONDS");
      System.exit(2);
    }
    URI server = URI.create(arguments[0]);
    if (!InetAddress.getByName(server.getHost()).isLoopbackAddress()) {
      System.err.println("only servers on this machine are loaded");
      System.exit(2);
    }
    int callers = between(1, CALLERS_MAX, arguments[3]);
    int seconds = between(1, SECONDS_MAX, arguments[4]);
    SubmissionLoad load = new SubmissionLoad(server, arguments[1], arguments[2]);
    load.run(1, 3);
    load.run(callers, 3);
    print(callers, seconds, load.run(callers, seconds));
  }

  private static int between(int least, int most, String text) {
    int value = Integer.parseInt(text);
    if (value < least || value > most) {
      throw new IllegalArgumentException(text + " is not between " + least + " and " + most);
    }
    return value;
  }

  /** The times to acknowledgement in nanoseconds, in order of size. */
  private long[] run(int callers, int seconds) throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(callers);
    try {
      long deadline = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
      List<Callable<long[]>> tasks = new ArrayList<>();
      for (int caller = 0; caller < callers; caller++) {
        tasks.add(() -> call(deadline));
      }
      List<long[]> times = new ArrayList<>();
      for (Future<long[]> future : pool.invokeAll(tasks)) {
        times.add(future.get());
      }
      return times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    } finally {
      pool.shutdownNow();
    }
  }

  private long[] call(long deadline) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    long[] times = new long[PER_CALLER_MAX];
    int count = 0;
    while (System.nanoTime() < deadline && count < PER_CALLER_MAX) {
      HttpRequest request =
          HttpRequest.newBuilder(jobs)
              .header("Authorization", "Bearer " + System.getenv("SLUICE_TOKEN"))
              .header("Idempotency-Key", UUID.randomUUID().toString())
              .POST(BodyPublishers.ofString(body))
              .build();
      long begun = System.nanoTime();
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      times[count] = System.nanoTime() - begun;
      count++;
      if (answer.statusCode() != CREATED) {
        throw new IOException("status " + answer.statusCode() + ": " + answer.body());
      }
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
        percentile(times, 50),
        percentile(times, 90),
        percentile(times, 99),
        percentile(times, 100));
  }

  private static double percentile(long[] sorted, int percent) {
    int at = Math.max(0, (int) Math.ceil(sorted.length * percent / 100.0) - 1);
    return sorted[at] / NANOS_PER_MILLI;
  }
}
