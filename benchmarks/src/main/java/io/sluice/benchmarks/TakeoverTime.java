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
  private static final int CREATED = 201;
  private static final int OK = 200;
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);
  private static final Duration TAKEOVER_LIMIT = Duration.ofMinutes(2);
  private static final double NANOS_PER_MILLI = 1e6;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI leader;
  private final URI follower;
  private final String job;

  private TakeoverTime(URI leader, URI follower, String namespace, String queue) {
    this.leader = leader;
    this.follower = follower;
    this.job =
        """
        {"apiVersion":"sluice.io/v1","kind":"Job",
         "metadata":{"name":"load","namespace":"%s"},
         "spec":{"queue":"%s","command":["true"],"requests":{"cpu":"1"}}}
        """
            .formatted(namespace, queue);
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 5) {
      System.err.println("usage: TakeoverTime LEADER_URL FOLLOWER_URL NAMESPACE QUEUE JOBS");
      System.exit(2);
    }
    int jobs = Integer.parseInt(arguments[4]);
    for (String url : List.of(arguments[0], arguments[1])) {
      if (!InetAddress.getByName(URI.create(url).getHost()).isLoopbackAddress()) {
        System.err.println("only servers on this machine are measured");
        System.exit(2);
      }
    }
    if (jobs < BULK || jobs > JOBS_MAX) {
      System.err.println("JOBS must be between " + BULK + " and " + JOBS_MAX);
      System.exit(2);
    }
    TakeoverTime measured =
        new TakeoverTime(
            URI.create(arguments[0]), URI.create(arguments[1]), arguments[2], arguments[3]);
    List<String> ids = measured.fill(jobs);
    measured.awaitEnqueued(ids.get(ids.size() - 1));
    measured.read(ids);
    measured.killAndWait();
  }

  private List<String> fill(int jobs) throws IOException, InterruptedException {
    List<String> ids = new ArrayList<>();
    String body = String.join("", Collections.nCopies(BULK, job));
    long begun = System.nanoTime();
    while (ids.size() < jobs) {
      String answer = post("/v1/jobs/bulk", body);
      Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(answer);
      while (id.find()) {
        ids.add(id.group(1));
      }
    }
    System.out.printf("%d jobs acknowledged in %.1f s%n", ids.size(), seconds(begun));
    return ids;
  }

  /** Until the follower's view has the last job, and so all. */
  private void awaitEnqueued(String last) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    while (!get(follower, "/v1/jobs/" + last).contains("PENDING")
        || field("sequence", get(follower, "/v1/server"))
            < field("sequence", get(leader, "/v1/server"))) {
      Thread.sleep(20);
    }
    System.out.printf("the follower had them all %.1f s later%n", seconds(begun));
  }

  private void read(List<String> ids) throws IOException, InterruptedException {
    for (int warm = 0; warm < 2; warm++) {
      long[] lists = new long[READS];
      long[] explanations = new long[READS];
      for (int read = 0; read < READS; read++) {
        long begun = System.nanoTime();
        get(follower, "/v1/jobs?limit=50");
        lists[read] = System.nanoTime() - begun;
        String id = ids.get((int) ((long) read * ids.size() / READS));
        begun = System.nanoTime();
        get(follower, "/v1/jobs/" + id + "/explanation");
        explanations[read] = System.nanoTime() - begun;
      }
      if (warm == 1) {
        print("follower, list of 50", lists);
        print("follower, explanation", explanations);
      }
    }
  }

  private void killAndWait() throws IOException, InterruptedException {
    long pid = field("pid", get(leader, "/v1/server"));
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    long begun = System.nanoTime();
    long before = field("sequence", get(follower, "/v1/server"));
    while (!get(follower, "/v1/server").contains("\"leader\",")) {
      if (System.nanoTime() - begun > TAKEOVER_LIMIT.toNanos()) {
        throw new IOException("nobody leads");
      }
      Thread.sleep(5);
    }
    System.out.printf("the follower led %.2f s after the leader was killed%n", seconds(begun));
    post("/v1/jobs/bulk", job);
    while (field("sequence", get(follower, "/v1/server")) <= before) {
      Thread.sleep(5);
    }
    System.out.printf("and had committed a batch %.2f s after it%n", seconds(begun));
  }

  private String post(String path, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(follower.resolve(path));
    return send(request.POST(BodyPublishers.ofString(body)), CREATED);
  }

  private String get(URI server, String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(server.resolve(path)), OK);
  }

  private String send(HttpRequest.Builder request, int wanted)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            request
                .header("Authorization", "Bearer " + System.getenv("SLUICE_TOKEN"))
                .timeout(ANSWER_LIMIT)
                .build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != wanted) {
      throw new IOException("status " + answer.statusCode() + ": " + answer.body());
    }
    return answer.body();
  }

  private static long field(String name, String json) throws IOException {
    Matcher value = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
    if (!value.find()) {
      throw new IOException("no " + name + " in " + json);
    }
    return Long.parseLong(value.group(1));
  }

  private static double seconds(long begunNanos) {
    return (System.nanoTime() - begunNanos) / (NANOS_PER_MILLI * 1_000);
  }

  private static void print(String what, long[] times) {
    Arrays.sort(times);
    System.out.printf(
        "%s, ms: p50 %.1f, p99 %.1f, most %.1f%n",
        what,
        times[times.length / 2] / NANOS_PER_MILLI,
        times[times.length * 99 / 100] / NANOS_PER_MILLI,
        times[times.length - 1] / NANOS_PER_MILLI);
  }
}
