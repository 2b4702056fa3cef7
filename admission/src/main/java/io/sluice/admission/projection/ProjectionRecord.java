// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.projection;

import io.sluice.admission.projection.ProjectedJob.Loss;
import io.sluice.admission.projection.ProjectedJob.Who;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quantity.ResourceName;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** Collects what happens to jobs in a projection. */
final class ProjectionRecord {
  private static final String EXTENDED = "/";

  private final SortedMap<JobId, ProjectedJob> jobs = new TreeMap<>();
  private final SortedSet<JobId> running = new TreeSet<>();

  /** Notes which jobs run at the beginning, and which already wait for a provider. */
  ProjectionRecord(AdmissionState state, Instant begun) {
    for (Attempt attempt : state.attempts()) {
      if (!attempt.draining() && running.add(attempt.job().id())) {
        change(attempt.job(), known -> known);
      }
    }
    state.ladders().waiting().forEach(job -> sought(job, begun));
  }

  SortedMap<JobId, ProjectedJob> jobs() {
    return jobs;
  }

  private void change(JobEntry job, UnaryOperator<ProjectedJob> change) {
    ProjectedJob known = jobs.get(job.id());
    ProjectedJob before =
        known == null
            ? new ProjectedJob(Who.of(job), running.contains(job.id()), null, null, Loss.NONE)
            : known;
    jobs.put(job.id(), change.apply(before));
  }

  void admitted(JobEntry job, Instant at) {
    change(
        job,
        known ->
            new ProjectedJob(
                known.who(),
                known.running(),
                known.start() == null ? at : known.start(),
                known.sought(),
                known.loss().admittedAt(at)));
  }

  /** A job that has started without a provider keeps its date. */
  void sought(JobEntry job, Instant at) {
    change(
        job,
        known ->
            known.start() != null || known.sought() != null
                ? known
                : new ProjectedJob(known.who(), known.running(), null, at, known.loss()));
  }

  void evicted(Attempt attempt, Drain drain, Instant at) {
    if (!displaces(drain.cause())) {
      return;
    }
    Drain.Preemption preemption = drain.preemption();
    JobId preemptor = preemption == null ? null : preemption.preemptor().job();
    Instant started = attempt.startedAt();
    long seconds = started == null ? 0 : Duration.between(started, at).toSeconds();
    change(
        attempt.job(),
        known ->
            new ProjectedJob(
                known.who(),
                known.running(),
                known.start(),
                known.sought(),
                known.loss().with(at, preemptor, seconds, devices(attempt))));
  }

  /** Returns whether an attempt with this cause could have gone on elsewhere or otherwise. */
  private static boolean displaces(DrainCause cause) {
    return switch (cause) {
      case PREEMPTED, QUEUE_STOPPED, SLICE_RECLAIMED, HOST_LOST, DATED -> true;
      case MIGRATED, CANCELLED, FAILED, TIME_LIMIT, HELD, START_DEADLINE, LEASE_END, NOT_RESIZED ->
          false;
    };
  }

  /** Returns the number of devices: units of resources of a vendor, such as google.com/tpu. */
  private static long devices(Attempt attempt) {
    long devices = 0;
    for (PodSetAssignment podSet : attempt.counted().podSets()) {
      for (Map.Entry<ResourceName, Long> amount : podSet.usage().amounts().entrySet()) {
        devices += amount.getKey().value().contains(EXTENDED) ? amount.getValue() : 0;
      }
    }
    return devices;
  }
}
