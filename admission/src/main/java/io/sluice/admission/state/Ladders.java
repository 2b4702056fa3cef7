// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.admission.state.record.Timer;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.quota.ComputeClass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait for the capacity of rungs, with the timers of the rungs. Only the state
 * changes it.
 */
public final class Ladders {
  private final AdmissionState state;
  private final TreeMap<String, TreeSet<JobEntry>> waitingByQueue = new TreeMap<>();
  private final TreeMap<RungKey, Timer> timers = new TreeMap<>();
  private final TreeMap<RungKey, Usage> usages = new TreeMap<>();

  Ladders(AdmissionState state) {
    this.state = state;
  }

  /** Returns the jobs that wait for the capacity of a rung, by queue and in queue order. */
  public List<JobEntry> waiting() {
    List<JobEntry> all = new ArrayList<>();
    waitingByQueue.values().forEach(all::addAll);
    return all;
  }

  /** Returns the usage sought by earlier jobs of a job's queue, rung by rung. */
  public List<Usage> soughtBefore(JobEntry job) {
    List<Usage> sought = new ArrayList<>();
    SortedSet<JobEntry> waiting = waitingByQueue.get(job.queue().name());
    if (waiting != null) {
      for (JobEntry before : waiting.headSet(job)) {
        sought.addAll(soughtBy(before));
      }
    }
    return sought;
  }

  /** Returns the usage that a job seeks, rung by rung. */
  public List<Usage> soughtBy(JobEntry job) {
    List<Usage> sought = new ArrayList<>();
    for (Map.Entry<Integer, RungProgress> entry : job.ladder().entrySet()) {
      Assignment wanted = entry.getValue().wanted();
      if (entry.getValue().waiting() && wanted != null) {
        sought.add(usage(new RungKey(job.id(), entry.getKey()), wanted));
      }
    }
    return sought;
  }

  private Usage usage(RungKey key, Assignment wanted) {
    QuotaLedger counting = state.ledger();
    return usages.computeIfAbsent(key, absent -> counting.count(wanted));
  }

  /** Discards counted usage, because the numbering of flavors has changed. */
  void recount() {
    usages.clear();
  }

  /** Returns the sought assignments, whose flavors the ledger must number. */
  Collection<Assignment> wanted() {
    List<Assignment> wanted = new ArrayList<>();
    for (JobEntry job : waiting()) {
      for (RungProgress progress : job.ladder().values()) {
        if (progress.wanted() != null) {
          wanted.add(progress.wanted());
        }
      }
    }
    return wanted;
  }

  /** Returns the progress of a job on a rung; null if there is none, or the job has ended. */
  public @Nullable RungProgress find(RungKey key) {
    JobEntry job = state.findJob(key.job());
    return job == null ? null : job.ladder().get(key.rung());
  }

  void open(RungKey key, Assignment wanted) {
    RungProgress before = state.job(key.job()).ladder().get(key.rung());
    RungProgress fresh =
        before == null
            ? new RungProgress(RungProgress.Standing.WAITING, Duration.ZERO, state.now(), wanted, 0)
            : before.open(wanted, state.now());
    change(key, fresh);
  }

  void pause(RungKey key) {
    RungProgress before = find(key);
    if (before == null || !before.waiting()) {
      throw new IllegalStateException("no job waits on rung " + key);
    }
    change(key, before.pause(state.now()));
  }

  void close(RungKey key, Instant until) {
    change(key, new RungProgress(RungProgress.Standing.CLOSED, Duration.ZERO, until, null, 0));
  }

  void leave(RungKey key) {
    change(key, null);
  }

  void countIdleGrant(RungKey key) {
    RungProgress before = find(key);
    if (before != null && before.standing() != RungProgress.Standing.CLOSED) {
      change(key, before.countIdleGrant());
    }
  }

  private void change(RungKey key, @Nullable RungProgress progress) {
    JobEntry job = state.job(key.job());
    // Its place among the pending depends on whether it has progress.
    state.takeOut(job);
    forgetTimer(key);
    usages.remove(key);
    job.setRung(key.rung(), progress);
    index(job);
    if (progress != null) {
      startTimer(key, job, progress);
    }
    state.refresh(job);
    state.touched().add(job);
    state.tries().touch(job.queue());
  }

  /** Restores the timers and indexes of a job. */
  void restore(JobEntry job) {
    index(job);
    job.ladder()
        .forEach((rung, progress) -> startTimer(new RungKey(job.id(), rung), job, progress));
  }

  void forget(JobEntry job) {
    for (int rung : job.ladder().keySet()) {
      RungKey key = new RungKey(job.id(), rung);
      forgetTimer(key);
      usages.remove(key);
    }
    unindex(job);
  }

  /** Indexes a job if it waits on a rung; else removes it from the index. */
  void index(JobEntry job) {
    if (job.ladder().values().stream().anyMatch(RungProgress::waiting)) {
      waitingByQueue.computeIfAbsent(job.queue().name(), absent -> new TreeSet<>()).add(job);
    } else {
      unindex(job);
    }
  }

  /** Removes a job from the index, also before its place in the queue changes. */
  void unindex(JobEntry job) {
    TreeSet<JobEntry> waiting = waitingByQueue.get(job.queue().name());
    if (waiting != null && waiting.remove(job) && waiting.isEmpty()) {
      waitingByQueue.remove(job.queue().name());
    }
  }

  private void startTimer(RungKey key, JobEntry job, RungProgress progress) {
    Instant at = dueAt(key, job, progress);
    if (at != null) {
      Timer.Kind kind = progress.waiting() ? Timer.Kind.RUNG_DEADLINE : Timer.Kind.COOL_DOWN;
      Timer timer = new Timer(at, kind, job.index(key.rung()));
      timers.put(key, timer);
      state.timers().add(timer);
    }
  }

  private void forgetTimer(RungKey key) {
    Timer timer = timers.remove(key);
    if (timer != null) {
      state.timers().remove(timer);
    }
  }

  private @Nullable Instant dueAt(RungKey key, JobEntry job, RungProgress progress) {
    return switch (progress.standing()) {
      case PAUSED -> null;
      case CLOSED -> progress.at();
      case WAITING -> deadline(key.rung(), job, progress);
    };
  }

  /** Returns when a waiting rung closes; null if the class sets no deadline. */
  public @Nullable Instant deadline(int rung, JobEntry job, RungProgress progress) {
    ComputeClass ladder = state.objects().computeClassOf(job);
    Duration deadline =
        ladder == null || rung >= ladder.rungs().size()
            ? null
            : ladder.rungs().get(rung).terms().deadline();
    Instant since = progress.at();
    return deadline == null || since == null || !progress.waiting()
        ? null
        : since.plus(deadline).minus(progress.waited());
  }
}
