// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.sluice.admission.Journal;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.loop.DecisionWatch;
import io.sluice.scheduler.store.input.SetAsideCounts;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Counts what this server commits while it leads, from its start on. A batch costs a look at each
 * of its events; what a follower reads is not counted, so that sums over servers count all once.
 */
@Singleton
class DecisionCounts implements DecisionWatch {
  private static final Logger LOG = Logger.getLogger(DecisionCounts.class);
  private static final int REQUEUES_MAX = 100_000;

  /** In seconds: from a wait that nobody notices to one of eleven days. */
  static final List<Double> WAIT_BOUNDS =
      List.of(1d, 5d, 15d, 60d, 300d, 900d, 3_600d, 14_400d, 86_400d, 1_000_000d);

  /** In seconds. */
  static final List<Double> ROUND_BOUNDS =
      List.of(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1d, 2.5, 10d);

  private final QueueLabels labels;
  private final Distribution rounds = new Distribution(ROUND_BOUNDS);
  private final Requeues requeues = new Requeues(REQUEUES_MAX);
  private final TreeMap<String, Long> admitted = new TreeMap<>();
  private final TreeMap<QueueReason, Long> evicted = new TreeMap<>();
  private final TreeMap<QueueReason, Long> preempted = new TreeMap<>();
  private final TreeMap<String, Distribution> waits = new TreeMap<>();
  private final SetAsideCounts setAside = new SetAsideCounts();
  private volatile int inFlight;

  /** A queue's label and why something happened there. */
  record QueueReason(String queue, String reason) implements Comparable<QueueReason> {
    @Override
    public int compareTo(QueueReason other) {
      int order = queue.compareTo(other.queue);
      return order == 0 ? reason.compareTo(other.reason) : order;
    }
  }

  @Inject
  DecisionCounts(ServerSettings settings) {
    this(new QueueLabels(settings.metricsQueues()));
  }

  DecisionCounts(QueueLabels labels) {
    this.labels = labels;
  }

  @Override
  @Produces
  @Singleton
  public SetAsideCounts setAside() {
    return setAside;
  }

  QueueLabels labels() {
    return labels;
  }

  @Override
  public void stepped(Duration took, int batches) {
    rounds.add(took);
    inFlight = batches;
  }

  @Override
  public void committed(Journal.Batch batch, AdmissionState state) {
    try {
      count(batch, state);
    } catch (RuntimeException failure) {
      LOG.warnf(failure, "batch %d is not counted in metrics", batch.sequence());
    }
  }

  private synchronized void count(Journal.Batch batch, AdmissionState state) {
    Map<JobId, Workload> workloads = null;
    for (Event event : batch.events()) {
      if (event instanceof Event.IndexRequeued requeued) {
        requeues.add(requeued.index(), batch.now());
      } else if (event instanceof Event.IndexFinished finished) {
        requeues.take(finished.index());
      } else if (event instanceof Event.Admitted || event instanceof Event.AttemptDraining) {
        workloads = workloads == null ? workloads(batch.changes().jobs()) : workloads;
        countOf(event, batch.now(), new Jobs(workloads, state));
      }
    }
  }

  private static Map<JobId, Workload> workloads(List<JobRecord> jobs) {
    Map<JobId, Workload> found = new HashMap<>();
    jobs.forEach(job -> found.put(job.workload().id(), job.workload()));
    return found;
  }

  /** The jobs of a batch, those that ended in it included, and all that have not ended. */
  private record Jobs(Map<JobId, Workload> touched, AdmissionState state) {
    @Nullable Workload find(JobId id) {
      Workload workload = touched.get(id);
      if (workload != null) {
        return workload;
      }
      JobEntry job = state.findJob(id);
      return job == null ? null : job.workload();
    }

    /** The ClusterQueue of a job; null if it or its LocalQueue is gone. */
    @Nullable String queueOf(JobId id) {
      Workload workload = find(id);
      LocalQueue local = workload == null ? null : state.objects().localQueue(workload.queue());
      return local == null ? null : local.clusterQueue();
    }
  }

  private void countOf(Event event, Instant now, Jobs jobs) {
    if (event instanceof Event.Admitted granted) {
      String label = labels.of(granted.assignment().clusterQueue());
      admitted.merge(label, 1L, Long::sum);
      countWait(label, granted.attempt(), now, jobs.find(granted.job()));
    } else if (event instanceof Event.AttemptDraining draining) {
      countDrain(draining, jobs);
    }
  }

  /** Of a later attempt it is known since when its index waits only if this server requeued it. */
  private void countWait(
      String label, AttemptKey attempt, Instant now, @Nullable Workload workload) {
    Instant since = requeues.take(new IndexKey(attempt.job(), attempt.index()));
    if (since == null && workload != null && attempt.attempt() == 1) {
      since = workload.createdAt();
    }
    if (since != null) {
      Duration waited = Duration.between(since, now);
      waits
          .computeIfAbsent(label, queue -> new Distribution(WAIT_BOUNDS))
          .add(waited.isNegative() ? Duration.ZERO : waited);
    }
  }

  private void countDrain(Event.AttemptDraining draining, Jobs jobs) {
    Drain drain = draining.drain();
    String reason = evictionReason(drain.cause());
    String queue = jobs.queueOf(draining.job());
    if (reason != null && queue != null) {
      evicted.merge(new QueueReason(labels.of(queue), reason), 1L, Long::sum);
    }
    Drain.Preemption preemption = drain.preemption();
    String preemptor = preemption == null ? null : jobs.queueOf(preemption.preemptor().job());
    if (preemption != null && preemptor != null) {
      preempted.merge(
          new QueueReason(labels.of(preemptor), preemption.reason().word()), 1L, Long::sum);
    }
  }

  /** Kueue's word for it where it has one; null if the attempt is not evicted but at its end. */
  static @Nullable String evictionReason(DrainCause cause) {
    return switch (cause) {
      case PREEMPTED -> "Preempted";
      case START_DEADLINE -> "PodsReadyTimeout";
      case QUEUE_STOPPED -> "ClusterQueueStopped";
      case HELD -> "Deactivated";
      case HOST_LOST -> "NodeFailures";
      case MIGRATED -> "Migrated";
      case LEASE_END -> "LeaseEnd";
      case SLICE_RECLAIMED -> "SliceReclaimed";
      case NOT_RESIZED -> "NotResized";
      case CANCELLED, FAILED, TIME_LIMIT -> null;
    };
  }

  /**
   * What was counted.
   *
   * @param admitted by queue
   * @param preempted by queue of the preemptor
   */
  record Reading(
      Map<String, Long> admitted,
      Map<QueueReason, Long> evicted,
      Map<QueueReason, Long> preempted,
      Map<String, Distribution.Reading> waits,
      Distribution.Reading rounds,
      int inFlight) {}

  /** Forgets what was counted of queues that are gone, and says what was counted of the rest. */
  synchronized Reading read(Set<String> queues) {
    labels.retain(queues);
    admitted.keySet().removeIf(queue -> gone(queue, queues));
    waits.keySet().removeIf(queue -> gone(queue, queues));
    evicted.keySet().removeIf(counted -> gone(counted.queue(), queues));
    preempted.keySet().removeIf(counted -> gone(counted.queue(), queues));
    TreeMap<String, Distribution.Reading> waited = new TreeMap<>();
    waits.forEach((queue, wait) -> waited.put(queue, wait.read()));
    return new Reading(
        new TreeMap<>(admitted),
        new TreeMap<>(evicted),
        new TreeMap<>(preempted),
        waited,
        rounds.read(),
        inFlight);
  }

  private static boolean gone(String label, Set<String> queues) {
    return !label.equals(QueueLabels.OTHERS) && !queues.contains(label);
  }
}
