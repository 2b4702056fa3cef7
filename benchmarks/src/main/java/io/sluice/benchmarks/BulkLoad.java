// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Submits jobs in bulk from several connections to a live server on this machine, polls one of the
 * acknowledged jobs meanwhile, and waits until the last job is in its queue. It stops by itself.
 * The queue must be there and have no quota, so that the jobs stay.
 *
 * <p>Usage: {@code java -cp benchmarks.jar io.sluice.benchmarks.BulkLoad URL NAMESPACE QUEUE JOBS
 * CONNECTIONS}
 */
final class BulkLoad {
  private static final int BULK = 1_000;
  private static final int JOBS_MAX = 2_000_000;
  private static final int CONNECTIONS_MAX = 64;
  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(2);
  private static final Duration QUEUE_LIMIT = Duration.ofMinutes(10);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(10);
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

  private final MeasuredServer server;
  private final String body;
  private volatile @Nullable String acknowledged;
  private volatile boolean queued;

  private BulkLoad(MeasuredServer server, String namespace, String queue) {
    this.server = server;
    this.body = String.join("", Collections.nCopies(BULK, MeasuredServer.job(namespace, queue)));
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 5) {
      System.err.println("usage: BulkLoad URL NAMESPACE QUEUE JOBS CONNECTIONS");
      System.exit(2);
    }
    MeasuredServer server = new MeasuredServer(Arguments.onThisMachine(arguments[0]), ANSWER_LIMIT);
    int jobs = Arguments.between(BULK, JOBS_MAX, arguments[3]);
    int connections = Arguments.between(1, CONNECTIONS_MAX, arguments[4]);
    new BulkLoad(server, arguments[1], arguments[2]).run(jobs / BULK, connections);
  }

  private void run(int requests, int connections) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(connections + 1);
    try {
      long begun = System.nanoTime();
      Future<long[]> polls = pool.submit(this::poll);
      AtomicInteger left = new AtomicInteger(requests);
      List<Future<?>> senders = new ArrayList<>();
      for (int sender = 0; sender < connections; sender++) {
        senders.add(
            pool.submit(
                () -> {
                  submit(left);
                  return null;
                }));
      }
      for (Future<?> sender : senders) {
        sender.get();
      }
      double seconds = Times.secondsSince(begun);
      int jobs = requests * BULK;
      System.out.printf("%d jobs acknowledged in %.1f s, %.0f /s%n", jobs, seconds, jobs / seconds);
      long all = System.nanoTime();
      awaitQueued();
      System.out.printf("all in their queues %.1f s later%n", Times.secondsSince(all));
      queued = true;
      Times.print("a poll of a job meanwhile", polls.get());
    } finally {
      pool.shutdownNow();
    }
  }

  private void submit(AtomicInteger left) throws IOException, InterruptedException {
    while (left.getAndDecrement() > 0) {
      String answer = server.post("/v1/jobs/bulk", body);
      Matcher id = ID.matcher(answer);
      if (!id.find()) {
        throw new IOException("no id in " + answer);
      }
      acknowledged = id.group(1);
    }
  }

  /** Polls the job acknowledged last, until all are in their queues; the times of the answers. */
  private long[] poll() throws IOException, InterruptedException {
    LongStream.Builder times = LongStream.builder();
    while (!queued) {
      String id = acknowledged;
      if (id != null) {
        long asked = System.nanoTime();
        server.get("/v1/jobs/" + id);
        times.add(System.nanoTime() - asked);
      }
      Thread.sleep(POLL_INTERVAL.toMillis());
    }
    return times.build().toArray();
  }

  private void awaitQueued() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    while (server.get("/v1/jobs/counts?by=state").contains("SUBMITTED")) {
      if (System.nanoTime() - begun > QUEUE_LIMIT.toNanos()) {
        throw new IOException("jobs are not in their queues after " + QUEUE_LIMIT);
      }
      Thread.sleep(100);
    }
  }
}
