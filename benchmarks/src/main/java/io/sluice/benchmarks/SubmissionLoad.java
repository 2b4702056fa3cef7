// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ExecutionException;

/**
 * Submits jobs concurrently to a live server on this machine and measures the time to the
 * acknowledgement. It stops by itself. It shares the processors with what it measures, and so uses
 * the JDK's older client, which needs no threads of its own.
 *
 * <p>Usage: {@code java -cp benchmarks.jar io.sluice.benchmarks.SubmissionLoad URL NAMESPACE QUEUE
 * CALLERS SECONDS}
 */
final class SubmissionLoad {
  private static final int CALLERS_MAX = 256;
  private static final int SECONDS_MAX = 300;
  private static final int PER_CALLER_MAX = 200_000;
  private static final int ANSWER_LIMIT_MILLIS = 120_000;

  private final URL jobs;
  private final byte[] body;

  private SubmissionLoad(URI server, String namespace, String queue) throws IOException {
    this.jobs = server.resolve("/v1/jobs").toURL();
    this.body = MeasuredServer.job(namespace, queue).getBytes(StandardCharsets.UTF_8);
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 5) {
      System.err.println("usage: SubmissionLoad URL NAMESPACE QUEUE CALLERS SECONDS");
      System.exit(2);
    }
    URI server = Arguments.onThisMachine(arguments[0]);
    int callers = Arguments.between(1, CALLERS_MAX, arguments[3]);
    int seconds = Arguments.between(1, SECONDS_MAX, arguments[4]);
    System.setProperty("http.maxConnections", String.valueOf(CALLERS_MAX));
    System.setProperty("sun.net.http.retryPost", "false");
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

  private long[] call(long deadline) throws IOException {
    long[] times = new long[PER_CALLER_MAX];
    int count = 0;
    while (System.nanoTime() < deadline && count < PER_CALLER_MAX) {
      String key = UUID.randomUUID().toString();
      long begun = System.nanoTime();
      submit(key);
      times[count] = System.nanoTime() - begun;
      count++;
    }
    return Arrays.copyOf(times, count);
  }

  private void submit(String key) throws IOException {
    HttpURLConnection request = (HttpURLConnection) jobs.openConnection();
    request.setRequestMethod("POST");
    request.setReadTimeout(ANSWER_LIMIT_MILLIS);
    request.setRequestProperty("Authorization", "Bearer " + System.getenv("SLUICE_TOKEN"));
    request.setRequestProperty("Idempotency-Key", key);
    request.setDoOutput(true);
    request.setFixedLengthStreamingMode(body.length);
    try (OutputStream out = request.getOutputStream()) {
      out.write(body);
    }
    int status = request.getResponseCode();
    // The connection serves the next request once its answer is read.
    try (InputStream answer = status < 400 ? request.getInputStream() : request.getErrorStream()) {
      byte[] text = answer == null ? new byte[0] : answer.readAllBytes();
      if (status != MeasuredServer.CREATED) {
        throw new IOException("status " + status + ": " + new String(text, StandardCharsets.UTF_8));
      }
    }
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
