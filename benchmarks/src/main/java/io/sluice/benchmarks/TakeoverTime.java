// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures failover of two live servers on this machine with one database: fills the queue,
 * measures answers of the follower, kills the leader, and measures the time without a leader. It
 * stops by itself. The queue must be there and have no quota, so that the jobs stay.
 *
 * <p>Usage: {@code java -cp benchmarks.jar io.sluice.benchmarks.TakeoverTime LEADER_URL
 * FOLLOWER_URL NAMESPACE QUEUE JOBS}, with an administrator's token of both servers in {@code
 * SLUICE_TOKEN}
 */
final class TakeoverTime {
  private static final int BULK = 1_000;
  private static final int JOBS_MAX = 2_000_000;
  private static final int READS = 100;
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);
  private static final Duration TAKEOVER_LIMIT = Duration.ofMinutes(2);

  private final MeasuredServer leader;
  private final MeasuredServer follower;
  private final String job;

  private TakeoverTime(
      MeasuredServer leader, MeasuredServer follower, String namespace, String queue) {
    this.leader = leader;
    this.follower = follower;
    this.job = MeasuredServer.job(namespace, queue);
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 5) {
      System.err.println("usage: TakeoverTime LEADER_URL FOLLOWER_URL NAMESPACE QUEUE JOBS");
      System.exit(2);
    }
    TakeoverTime measured =
        new TakeoverTime(
            new MeasuredServer(Arguments.onThisMachine(arguments[0]), ANSWER_LIMIT),
            new MeasuredServer(Arguments.onThisMachine(arguments[1]), ANSWER_LIMIT),
            arguments[2],
            arguments[3]);
    List<String> ids = measured.fill(Arguments.between(BULK, JOBS_MAX, arguments[4]));
    measured.awaitEnqueued(ids.get(ids.size() - 1));
    measured.read(ids);
    measured.killAndWait();
  }

  private List<String> fill(int jobs) throws IOException, InterruptedException {
    List<String> ids = new ArrayList<>();
    String body = String.join("", Collections.nCopies(BULK, job));
    long begun = System.nanoTime();
    while (ids.size() < jobs) {
      String answer = follower.post("/v1/jobs/bulk", body);
      Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(answer);
      while (id.find()) {
        ids.add(id.group(1));
      }
    }
    System.out.printf("%d jobs acknowledged in %.1f s%n", ids.size(), Times.secondsSince(begun));
    return ids;
  }

  /** Until the follower's view has the last job, and so all. */
  private void awaitEnqueued(String last) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    while (!follower.get("/v1/jobs/" + last).contains("PENDING")
        || field("sequence", follower.get("/v1/server"))
            < field("sequence", leader.get("/v1/server"))) {
      Thread.sleep(20);
    }
    System.out.printf("the follower had them all %.1f s later%n", Times.secondsSince(begun));
  }

  private void read(List<String> ids) throws IOException, InterruptedException {
    for (int warm = 0; warm < 2; warm++) {
      long[] lists = new long[READS];
      long[] explanations = new long[READS];
      for (int read = 0; read < READS; read++) {
        long begun = System.nanoTime();
        follower.get("/v1/jobs?limit=50");
        lists[read] = System.nanoTime() - begun;
        String id = ids.get((int) ((long) read * ids.size() / READS));
        begun = System.nanoTime();
        follower.get("/v1/jobs/" + id + "/explanation");
        explanations[read] = System.nanoTime() - begun;
      }
      if (warm == 1) {
        Times.print("follower, list of 50", lists);
        Times.print("follower, explanation", explanations);
      }
    }
  }

  private void killAndWait() throws IOException, InterruptedException {
    long pid = field("pid", leader.get("/v1/server"));
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    long begun = System.nanoTime();
    long before = field("sequence", follower.get("/v1/server"));
    while (!follower.get("/v1/server").contains("\"leader\",")) {
      if (System.nanoTime() - begun > TAKEOVER_LIMIT.toNanos()) {
        throw new IOException("nobody leads");
      }
      Thread.sleep(5);
    }
    System.out.printf(
        "the follower led %.2f s after the leader was killed%n", Times.secondsSince(begun));
    follower.post("/v1/jobs/bulk", job);
    while (field("sequence", follower.get("/v1/server")) <= before) {
      Thread.sleep(5);
    }
    System.out.printf("and had committed a batch %.2f s after it%n", Times.secondsSince(begun));
  }

  private static long field(String name, String json) throws IOException {
    Matcher value = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
    if (!value.find()) {
      throw new IOException("no " + name + " in " + json);
    }
    return Long.parseLong(value.group(1));
  }
}
