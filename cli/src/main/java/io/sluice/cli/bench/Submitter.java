// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.restmodel.job.JobAcknowledgement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Submits the workloads of a load, one request each, at their times. Threads take arrivals in their
 * order; one that is late is submitted at once, and none is left out. The first failure, after the
 * repetitions of {@link ServerClient}, is the reason to stop.
 */
final class Submitter {
  private static final Duration END_PATIENCE = Duration.ofSeconds(5);

  private final ServerClient client;
  private final List<Arrival> arrivals;
  private final JobManifests manifests;
  private final StopReason stop;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final Queue<Submission> submissions = new ConcurrentLinkedQueue<>();
  private final List<Thread> callers = new ArrayList<>();
  private long begunNanos;

  /**
   * An acknowledged submission. Times are in nanoseconds from the start of the run.
   *
   * @param id id of the job
   * @param acknowledgedNanos when the answer had come; repetitions of the request are included
   */
  record Submission(String id, Arrival arrival, long sentNanos, long acknowledgedNanos) {
    /** Returns how late the request was sent. */
    long lagNanos() {
      return Math.max(0, sentNanos - TimeUnit.MILLISECONDS.toNanos(arrival.dueMillis()));
    }

    long latencyNanos() {
      return acknowledgedNanos - sentNanos;
    }
  }

  Submitter(ServerClient client, Load load, BenchSettings settings, StopReason stop) {
    this.client = client;
    this.arrivals = Arrival.of(load);
    this.manifests = new JobManifests(load, settings.timeLimitFactor());
    this.stop = stop;
    for (int caller = 0; caller < settings.callers(); caller++) {
      Thread thread = new Thread(this::submitAll, "bench-caller-" + caller);
      thread.setDaemon(true);
      callers.add(thread);
    }
  }

  /** Starts to submit; returns the start of the run. */
  Instant start() {
    Instant begunAt = Instant.now();
    begunNanos = System.nanoTime();
    callers.forEach(Thread::start);
    return begunAt;
  }

  private void submitAll() {
    try {
      int at = next.getAndIncrement();
      while (at < arrivals.size() && !stop.isSet()) {
        submit(arrivals.get(at));
        at = next.getAndIncrement();
      }
    } catch (RuntimeException failed) {
      boolean known = failed instanceof ClientException;
      stop.set("a submission failed: " + (known ? failed.getMessage() : failed.toString()));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void submit(Arrival arrival) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(TimeUnit.MILLISECONDS.toNanos(arrival.dueMillis()) - elapsedNanos());
    byte[] manifest = manifests.of(arrival);
    long sentNanos = elapsedNanos();
    String id = client.postIdempotent("/v1/jobs", manifest, null, JobAcknowledgement.class).id();
    submissions.add(new Submission(id, arrival, sentNanos, elapsedNanos()));
    acknowledged.incrementAndGet();
  }

  private long elapsedNanos() {
    return System.nanoTime() - begunNanos;
  }

  /** Returns the time since the start of the run. */
  Duration elapsed() {
    return Duration.ofNanos(elapsedNanos());
  }

  /** Returns the number of workloads of the load. */
  int workloads() {
    return arrivals.size();
  }

  /** Returns the number of acknowledged submissions. */
  int acknowledged() {
    return acknowledged.get();
  }

  /** Whether every workload is submitted. */
  boolean isDone() {
    return acknowledged() == arrivals.size();
  }

  /** Ends the threads; waits for requests that are being answered, for a short time only. */
  void end() throws InterruptedException {
    callers.forEach(Thread::interrupt);
    long deadline = System.nanoTime() + END_PATIENCE.toNanos();
    for (Thread caller : callers) {
      TimeUnit.NANOSECONDS.timedJoin(caller, Math.max(1, deadline - System.nanoTime()));
    }
  }

  /** Returns the acknowledged submissions, in no order. */
  List<Submission> submissions() {
    return List.copyOf(submissions);
  }
}
