// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
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
import io.sluice.scheduler.estimate.OutcomeWatch;
import io.sluice.scheduler.loop.DecisionWatch;
import io.sluice.scheduler.store.input.SetAsideCounts;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the decisions that this server commits while it leads, since its start. A batch costs one
 * look at each of its events. Batches that a follower reads are not counted, so that sums over
 * servers count each batch once.
 */
@Singleton
class DecisionCounts implements DecisionWatch, OutcomeWatch {
  private static final Logger LOG = Logger.getLogger(DecisionCounts.class);
  private static final int REQUEUES_MAX = 100_000;

  /** From a step without work to one that hangs. */
  private static final List<Duration> ROUND_BOUNDS =
      LongStream.of(
              1_000,
              2_500,
              5_000,
              10_000,
              25_000,
              50_000,
              100_000,
              250_000,
              500_000,
              1_000_000,
              2_500_000,
              10_000_000)
          .mapToObj(micros -> Duration.of(micros, ChronoUnit.MICROS))
          .toList();

  private final MeterRegistry registry;
  private final QueueLabels labels;
  private final Timer rounds;
  private final Requeues requeues = new Requeues(REQUEUES_MAX);
  private final TreeMap<String, QueueMeters> queues = new TreeMap<>();
  private final SetAsideCounts setAside = new SetAsideCounts();
  private volatile int inFlight;

  @Inject
  DecisionCounts(ServerSettings settings, MeterRegistry registry) {
    this(new QueueLabels(settings.metricsQueues()), registry);
  }

  DecisionCounts(QueueLabels labels, MeterRegistry registry) {
    this.labels = labels;
    this.registry = registry;
    this.rounds = Metric.ROUND.timer(registry, ROUND_BOUNDS);
  }

  @Override
  @Produces
  @Singleton
  public SetAsideCounts setAside() {
    return setAside;
  }

  /** Number of batches that were being committed after the last step. */
  int inFlight() {
    return inFlight;
  }

  QueueLabels labels() {
    return labels;
  }

  @Override
  public void stepped(Duration took, int batches) {
    rounds.record(took);
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

  /** The jobs of a batch, including those that ended in it, and all jobs that have not ended. */
  private record Jobs(Map<JobId, Workload> touched, AdmissionState state) {
    @Nullable Workload find(JobId id) {
      Workload workload = touched.get(id);
      if (workload != null) {
        return workload;
      }
      JobEntry job = state.findJob(id);
      return job == null ? null : job.workload();
    }

    /** The ClusterQueue of a job; null if it or its LocalQueue was deleted. */
    @Nullable String queueOf(JobId id) {
      Workload workload = find(id);
      LocalQueue local = workload == null ? null : state.objects().localQueue(workload.queue());
      return local == null ? null : local.clusterQueue();
    }
  }

  private void countOf(Event event, Instant now, Jobs jobs) {
    if (event instanceof Event.Admitted granted) {
      QueueMeters queue = metersOf(granted.assignment().clusterQueue());
      queue.admitted();
      countWait(queue, granted.attempt(), now, jobs.find(granted.job()));
    } else if (event instanceof Event.AttemptDraining draining) {
      countDrain(draining, jobs);
    }
  }

  @Override
  public synchronized void settled(String clusterQueue, Place place) {
    metersOf(clusterQueue).estimated(place.word());
  }

  private QueueMeters metersOf(String queue) {
    return queues.computeIfAbsent(labels.of(queue), label -> new QueueMeters(registry, label));
  }

  /**
   * Records the wait of an index. For later attempts its start is known only if this server
   * requeued the index.
   */
  private void countWait(
      QueueMeters queue, AttemptKey attempt, Instant now, @Nullable Workload workload) {
    Instant since = requeues.take(new IndexKey(attempt.job(), attempt.index()));
    if (since == null && workload != null && attempt.attempt() == 1) {
      since = workload.createdAt();
    }
    if (since != null) {
      Duration waited = Duration.between(since, now);
      queue.waited(waited.isNegative() ? Duration.ZERO : waited);
    }
  }

  private void countDrain(Event.AttemptDraining draining, Jobs jobs) {
    Drain drain = draining.drain();
    String reason = evictionReason(drain.cause());
    String queue = jobs.queueOf(draining.job());
    if (reason != null && queue != null) {
      metersOf(queue).evicted(reason);
    }
    Drain.Preemption preemption = drain.preemption();
    String preemptor = preemption == null ? null : jobs.queueOf(preemption.preemptor().job());
    if (preemption != null && preemptor != null) {
      metersOf(preemptor).preempted(preemption.reason().word());
    }
  }

  /** Kueue's word for an eviction, if it has one; null if the attempt ends and is not evicted. */
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
      case DATED -> "Dated";
      case CANCELLED, FAILED, TIME_LIMIT -> null;
    };
  }

  /** Drops the counts of all queues except these, which are all that exist. */
  synchronized void retain(Set<String> names) {
    labels.retain(names);
    queues
        .entrySet()
        .removeIf(
            counted -> {
              boolean gone =
                  !counted.getKey().equals(QueueLabels.OTHERS) && !names.contains(counted.getKey());
              if (gone) {
                counted.getValue().remove();
              }
              return gone;
            });
  }
}
