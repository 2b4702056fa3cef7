// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import io.sluice.scheduler.process.Caller.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A load of all kinds at once, each at a steady pace: submissions of jobs, arrays and in bulk, jobs
 * that preempt, cancellations, edits of quota, runs of a pipeline, and lists.
 */
final class SoakLoad {
  private static final int FAILURES_MAX = 20;
  private static final int BULK = 50;
  private static final int QUEUES = 3;

  private static final String QUOTA =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ResourceFlavor
      metadata: {name: cpu}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Cohort
      metadata: {name: soak}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: urgent}
      value: 100
      ---
      """;

  private static final String PREEMPTION =
      """
        cohortName: soak
        preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any}
      """;

  private static final String JOB =
      """
      apiVersion: sluice.io/v1
      kind: Job
      metadata:
        name: %s
        namespace: team
        annotations: {sluice.io/simulated-run-time: PT%dS}
      spec: {queue: q%d, timeLimit: 1h, gracePeriod: 1s, command: [run], requests: {cpu: "%d"}%s}
      """;

  private static final String PIPELINE =
      """
      apiVersion: sluice.io/v1
      kind: Pipeline
      metadata: {name: soak, namespace: team}
      spec:
        steps:
        - name: first
          job:
            metadata: {annotations: {sluice.io/simulated-run-time: PT1S}}
            spec: {queue: q0, requests: {cpu: 1}, command: [run]}
        - name: second
          dependsOn: [first]
          forEach: {range: {to: 3}}
          job:
            metadata: {annotations: {sluice.io/simulated-run-time: PT1S}}
            spec: {queue: q1, requests: {cpu: 1}, command: [run]}
      """;

  private final Caller caller;
  private final List<Thread> threads = new ArrayList<>();
  private final Map<String, AtomicLong> counts = new ConcurrentSkipListMap<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
  private final Queue<Long> times = new ConcurrentLinkedQueue<>();
  private final AtomicLong names = new AtomicLong();
  private volatile boolean ended;
  private volatile String last = "";

  SoakLoad(Caller caller) {
    this.caller = caller;
  }

  /** One request, or a few. */
  private interface Work {
    void run(long number) throws IOException, InterruptedException;
  }

  /** Creates the quota and the pipeline, and submits the first job. */
  void prepare() throws IOException, InterruptedException {
    StringBuilder objects = new StringBuilder(QUOTA);
    for (int queue = 0; queue < QUEUES; queue++) {
      objects.append(CpuQueues.queue("q" + queue, 40, PREEMPTION)).append("---\n");
      objects.append(CpuQueues.localQueue("q" + queue)).append("---\n");
    }
    caller.post("/v1/apply", objects + PIPELINE).is(200);
    submit(job(0, 1, ""));
  }

  void start() {
    // Altogether two thirds of the quota, so that waiting jobs do not add up.
    every("job", 50, number -> submit(job(number, 1 + (int) (number / QUEUES) % 2, "")));
    every("array", 5_000, number -> submit(job(number, 1, ", array: {count: 10}")));
    every("urgent", 4_000, number -> submit(job(number, 30, ", priorityClass: urgent")));
    every("bulk", 5_000, this::submitMany);
    every(
        "cancel",
        1_000,
        number -> expect(caller.post("/v1/jobs/" + last + "/cancel", ""), 202, 409));
    every("edit", 3_000, this::edit);
    every("run", 5_000, number -> expect(caller.post("/v1/pipelines/team/soak/runs", "{}"), 201));
    every("list", 1_000, number -> expect(caller.get("/v1/jobs?limit=200&state=running"), 200));
    every("read", 200, number -> expect(caller.get("/v1/jobs/" + last), 200));
  }

  private void every(String kind, long millis, Work work) {
    AtomicLong count = new AtomicLong();
    counts.put(kind, count);
    Thread thread =
        new Thread(
            () -> {
              long next = System.nanoTime();
              while (!ended) {
                next = Math.max(next + millis * 1_000_000, System.nanoTime() - 1_000_000_000L);
                try {
                  work.run(count.get());
                  count.incrementAndGet();
                  Thread.sleep(Math.max(0, (next - System.nanoTime()) / 1_000_000));
                } catch (IOException | RuntimeException | AssertionError failure) {
                  note(kind + ": " + failure);
                } catch (InterruptedException interrupted) {
                  return;
                }
              }
            },
            "soak-" + kind);
    threads.add(thread);
    thread.start();
  }

  private void note(String failure) {
    if (failures.size() < FAILURES_MAX) {
      failures.add(failure);
    }
  }

  private String job(long number, int cpu, String more) {
    return JOB.formatted(
        "job-" + names.incrementAndGet(), 1 + number % 3, number % QUEUES, cpu, more);
  }

  private void submit(String manifest) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Reply reply = caller.post("/v1/jobs", manifest);
    times.add(System.nanoTime() - begin);
    expect(reply, 201);
    last = reply.at("/id");
    acknowledged.add(last);
  }

  private void submitMany(long number) throws IOException, InterruptedException {
    StringBuilder manifests = new StringBuilder();
    for (int at = 0; at < BULK; at++) {
      manifests.append(job(number + at, 1, "")).append("---\n");
    }
    Reply reply = caller.post("/v1/jobs/bulk", manifests.toString());
    expect(reply, 201);
    acknowledged.addAll(reply.each("/items", "id"));
  }

  private void edit(long number) throws IOException, InterruptedException {
    int queue = (int) (number % QUEUES);
    int cpu = number % 2 == 0 ? 60 : 40;
    expect(
        caller.put(CpuQueues.path("q" + queue), CpuQueues.queue("q" + queue, cpu, PREEMPTION)),
        200);
  }

  private static void expect(Reply reply, Integer... statuses) {
    if (!List.of(statuses).contains(reply.status())) {
      throw new AssertionError(reply.status() + " " + reply.text());
    }
  }

  void stop() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join(StartedServer.PATIENCE.toMillis());
    }
  }

  /** Returns how many of each kind there were. */
  Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>();
    counts.forEach((kind, count) -> all.put(kind, count.get()));
    return all;
  }

  Collection<String> failures() {
    return failures;
  }

  /** Returns the ids of all acknowledged jobs. */
  Collection<String> acknowledged() {
    return acknowledged;
  }

  /** Returns how long submissions took since the last call, in nanoseconds, in order of time. */
  List<Long> takeTimes() {
    List<Long> taken = new ArrayList<>();
    for (Long time = times.poll(); time != null; time = times.poll()) {
      taken.add(time);
    }
    return taken;
  }
}
