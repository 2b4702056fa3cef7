// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Submits a load of 15,000 short jobs in 60 s to a live server on this machine, with or without
 * watchers of single jobs and of queues and open consoles, and prints the processor time of the
 * server and how late events come. The load has the shape of Kueue's baseline: 30 ClusterQueues in
 * 5 cohorts, each with 350 small, 100 medium and 50 large jobs. The server needs the simulated
 * executor.
 *
 * <p>Usage: {@code java -cp benchmarks.jar io.sluice.benchmarks.WatcherCost URL JOB_WATCHERS
 * QUEUE_WATCHERS CONSOLES}
 */
final class WatcherCost {
  private static final int QUEUES = 30;
  private static final int COHORTS = 5;
  private static final int CALLERS = 8;
  private static final int WATCHERS_MAX = 2_000;
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final double TICKS_PER_SECOND = 100;
  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");
  private static final Pattern AT = Pattern.compile("^data: .*?\"at\":\"([^\"]+)\"");
  private static final Pattern SEQUENCE = Pattern.compile("^id: (\\d+)");
  private static final Pattern TOTAL = Pattern.compile("\"total\":(\\d+)");
  private static final Pattern PID = Pattern.compile("\"pid\":(\\d+)");

  private final URI server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Queue<Long> lateMillis = new ConcurrentLinkedQueue<>();
  private final AtomicInteger watching = new AtomicInteger();

  private WatcherCost(URI server) {
    this.server = server;
  }

  /** A class of jobs of each queue: the k-th comes at k times {@code everyMs}. */
  private record JobClass(String name, int count, int everyMs, int runMs, int cpu) {}

  private static final List<JobClass> CLASSES =
      List.of(
          new JobClass("small", 350, 100, 200, 1),
          new JobClass("medium", 100, 500, 500, 5),
          new JobClass("large", 50, 1_200, 1_000, 20));

  private record Arrival(int atMs, int queue, JobClass of) {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 4) {
      System.err.println("usage: WatcherCost URL JOB_WATCHERS QUEUE_WATCHERS CONSOLES");
      System.exit(2);
    }
    new WatcherCost(Arguments.onThisMachine(arguments[0]))
        .run(watchers(arguments[1]), watchers(arguments[2]), watchers(arguments[3]));
    System.exit(0);
  }

  private static int watchers(String text) {
    return Arguments.between(0, WATCHERS_MAX, text);
  }

  private void run(int jobWatchers, int queueWatchers, int consoles) throws Exception {
    send("POST", "/v1/apply", quota());
    for (int watcher = 0; watcher < queueWatchers; watcher++) {
      watch("queue=q" + watcher % QUEUES, this::told);
    }
    List<Arrival> load = load();
    ScheduledExecutorService reading = Executors.newScheduledThreadPool(CALLERS);
    for (int console = 0; console < consoles; console++) {
      AtomicLong seen = new AtomicLong();
      watch("skip=true", line -> see(line, seen));
      new OpenConsole(path -> getCompressed(path, seen.get())).open(reading);
    }
    int every = jobWatchers == 0 ? Integer.MAX_VALUE : load.size() / jobWatchers;
    long pid = number(PID, send("GET", "/v1/server", ""));
    double before = processorSeconds(pid);
    Instant begun = Instant.now();
    submit(load, begun, jobWatchers, every);
    awaitEnd(begun, load.size());
    Duration wall = Duration.between(begun, Instant.now());
    System.out.printf(
        "%d job watchers, %d queue watchers, %d consoles: %.1f s of processor, %.1f s wall%n",
        jobWatchers,
        queueWatchers,
        consoles,
        processorSeconds(pid) - before,
        wall.toMillis() / 1_000.0);
    reading.shutdownNow();
    List<Long> late = lateMillis.stream().sorted(Comparator.naturalOrder()).toList();
    if (!late.isEmpty()) {
      System.out.printf(
          "%d events to %d watchers; ms from the decision: p50 %d, p99 %d, most %d%n",
          late.size(),
          watching.get(),
          late.get(late.size() / 2),
          late.get(late.size() * 99 / 100),
          late.get(late.size() - 1));
    }
  }

  private static List<Arrival> load() {
    List<Arrival> load = new ArrayList<>();
    for (int queue = 0; queue < QUEUES; queue++) {
      for (JobClass of : CLASSES) {
        for (int k = 1; k <= of.count(); k++) {
          load.add(new Arrival(k * of.everyMs(), queue, of));
        }
      }
    }
    load.sort(Comparator.comparingInt(Arrival::atMs));
    return load;
  }

  private void submit(List<Arrival> load, Instant begun, int jobWatchers, int every)
      throws Exception {
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    for (int caller = 0; caller < CALLERS; caller++) {
      running.add(
          callers.submit(
              () -> {
                for (int n = next.getAndIncrement(); n < load.size(); n = next.getAndIncrement()) {
                  Arrival arrival = load.get(n);
                  long wait =
                      Duration.between(Instant.now(), begun.plusMillis(arrival.atMs())).toMillis();
                  if (wait > 0) {
                    Thread.sleep(wait);
                  }
                  Matcher id = ID.matcher(send("POST", "/v1/jobs", job(arrival)));
                  if (n % every == 0 && n / every < jobWatchers && id.find()) {
                    watch("job=" + id.group(1), this::told);
                  }
                }
                return null;
              }));
    }
    for (Future<?> one : running) {
      one.get();
    }
    callers.shutdown();
  }

  /** Follows events by a stream from now on, until this process ends. */
  private void watch(String query, Consumer<String> told) {
    HttpRequest request =
        request("/v1/events?" + query).header("Accept", "text/event-stream").GET().build();
    watching.incrementAndGet();
    var unused = client.sendAsync(request, BodyHandlers.fromLineSubscriber(new Lines(told)));
  }

  /** Passes lines on as they come; a stream that fails has no more of them. */
  private record Lines(Consumer<String> told) implements Flow.Subscriber<String> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String line) {
      told.accept(line);
    }

    @Override
    public void onError(Throwable failure) {
      System.err.println("a watcher failed: " + failure);
    }

    @Override
    public void onComplete() {}
  }

  private void told(String line) {
    Matcher at = AT.matcher(line);
    if (at.find()) {
      lateMillis.add(Duration.between(Instant.parse(at.group(1)), Instant.now()).toMillis());
    }
  }

  /** Takes the sequence of an id such as {@code 14.5}. */
  private void see(String line, AtomicLong seen) {
    told(line);
    Matcher id = SEQUENCE.matcher(line);
    if (id.find()) {
      seen.set(Long.parseLong(id.group(1)));
    }
  }

  private void awaitEnd(Instant begun, int jobs) throws Exception {
    String path = "/v1/jobs/counts?state=succeeded&state=failed&state=cancelled";
    while (number(TOTAL, send("GET", path, "")) < jobs) {
      if (Duration.between(begun, Instant.now()).compareTo(LONGEST) > 0) {
        throw new IllegalStateException("the load has not ended after " + LONGEST);
      }
      Thread.sleep(1_000);
    }
  }

  private static long number(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    if (!found.find()) {
      throw new IllegalStateException("no %s in %s".formatted(pattern, text));
    }
    return Long.parseLong(found.group(1));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(server.resolve(path))
        .header("Authorization", "Bearer " + System.getenv("SLUICE_TOKEN"));
  }

  /** Returns an answer as text; it comes compressed and may be shared, as the console asks for. */
  private String getCompressed(String path, long seen) throws IOException, InterruptedException {
    HttpResponse<InputStream> answer =
        client.send(
            request(path)
                .header("Accept-Encoding", "gzip")
                .header("Sluice-Seen", Long.toString(seen))
                .GET()
                .build(),
            BodyHandlers.ofInputStream());
    boolean packed = answer.headers().firstValue("Content-Encoding").isPresent();
    try (InputStream body = packed ? new GZIPInputStream(answer.body()) : answer.body()) {
      String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
      if (answer.statusCode() >= 300) {
        throw new IOException("status " + answer.statusCode() + ": " + text);
      }
      return text;
    }
  }

  private String send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            request(path)
                .method(
                    method,
                    body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IOException("status " + answer.statusCode() + ": " + answer.body());
    }
    return answer.body();
  }

  /** User and system time of a process of Linux. */
  private static double processorSeconds(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  private static String job(Arrival arrival) {
    return """
    {"apiVersion":"sluice.io/v1","kind":"Job",
     "metadata":{"name":"%s","namespace":"load",
      "annotations":{"sluice.io/simulated-run-time":"PT%sS"}},
     "spec":{"queue":"q%d","priorityClass":"%s","command":["true"],"requests":{"cpu":"%d"}}}
    """
        .formatted(
            arrival.of().name(),
            arrival.of().runMs() / 1_000.0,
            arrival.queue(),
            arrival.of().name(),
            arrival.of().cpu());
  }

  private static String quota() {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: small}, value: 50}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: medium}, value: 100}
        ---
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: large}, value: 200}
        """);
    for (int queue = 0; queue < QUEUES; queue++) {
      text.append(
          """
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: ClusterQueue
          metadata: {name: q%1$d}
          spec:
            cohortName: c%2$d
            namespaceSelector: {}
            preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}
            resourceGroups:
            - coveredResources: [cpu]
              flavors: [{name: any, resources: [{name: cpu, nominalQuota: 20, borrowingLimit: 100}]}]
          ---
          apiVersion: kueue.x-k8s.io/v1beta2
          kind: LocalQueue
          metadata: {name: q%1$d, namespace: load}
          spec: {clusterQueue: q%1$d}
          """
              .formatted(queue, queue % COHORTS));
    }
    return text.toString();
  }
}
