// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.preview.Alternative.FewerSlices;
import io.sluice.admission.preview.Alternative.HigherPriority;
import io.sluice.admission.preview.Alternative.OtherComputeClass;
import io.sluice.admission.preview.Alternative.ShorterLimit;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.SliceRange;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.WorkloadPriorityClass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds changes of a waiting job with which it would start now: a shorter time limit, fewer slices,
 * another compute class, or a higher priority. Each is verified by the engine on a copy of the
 * job's {@link Competitors}, like the smallest change. It makes at most {@value #TRIALS_MAX} copies
 * of each kind.
 */
public final class AlternativeSearch {
  static final int TRIALS_MAX = 6;

  /** Id of the job that is submitted anew: the last of all, because its own is not known yet. */
  private static final JobId ANEW = new JobId(new UUID(-1L, -1L));

  private final Competitors competitors;
  private final EnginePolicy policy;
  private final Instant now;
  private final BooleanSupplier goOn;

  /**
   * Creates a search for a job.
   *
   * @param policy policy under which the state decides
   * @param now current time; not before the last round
   * @param goOn asked before each round; once it returns false, no more is found
   */
  public AlternativeSearch(
      Competitors competitors, EnginePolicy policy, Instant now, BooleanSupplier goOn) {
    this.competitors = competitors;
    this.policy = policy;
    this.now = now.isBefore(competitors.now()) ? competitors.now() : now;
    this.goOn = goOn;
  }

  /** Returns what would start the job now; empty if nothing was found, or nothing is needed. */
  public List<Alternative> find() {
    StateSnapshot snapshot = competitors.snapshot();
    if (snapshot == null || starts(snapshot, competitors.job(), List.of())) {
      return List.of();
    }
    AdmissionState state = AdmissionState.restore(snapshot, policy);
    state.advance(now);
    JobEntry job = state.findJob(competitors.job());
    if (job == null) {
      return List.of();
    }
    List<Alternative> found = new ArrayList<>();
    shorterLimit(state, job, snapshot).ifPresent(found::add);
    fewerSlices(job, snapshot).ifPresent(found::add);
    otherClass(state, job, snapshot).ifPresent(found::add);
    higherPriority(state, job, snapshot).ifPresent(found::add);
    return found;
  }

  private boolean starts(StateSnapshot snapshot, JobId job, List<Input> inputs) {
    ChangeTrial trial = new ChangeTrial(job, snapshot, policy, now, goOn);
    trial.lead(inputs);
    // Jobs that the copy omits might have taken the room of one that it admitted.
    return trial.started() && competitors.cut().stream().noneMatch(trial::admitted);
  }

  private Optional<Alternative> shorterLimit(
      AdmissionState state, JobEntry job, StateSnapshot snapshot) {
    List<Duration> limits = limits(state, job);
    for (Duration limit : limits.subList(0, Math.min(TRIALS_MAX, limits.size()))) {
      Input.LimitJob input = new Input.LimitJob(job.id(), "trial", limit, false);
      if (starts(snapshot, job.id(), List.of(input))) {
        return Optional.of(new ShorterLimit(limit));
      }
    }
    return Optional.empty();
  }

  /** Returns the limits with which the job would end before a planned start, longest first. */
  private List<Duration> limits(AdmissionState state, JobEntry job) {
    Duration present = job.workload().limits().timeLimit();
    Duration beyond = state.plan().timeBeyondLimit(job);
    TreeSet<Duration> limits = new TreeSet<>(Comparator.reverseOrder());
    for (Promise promise : state.plan().promises()) {
      if (promise.dated() && !promise.job().equals(job)) {
        Duration until = Duration.between(now, Ticks.instant(promise.from()));
        Duration limit = rounded(until.minus(beyond));
        boolean shorter = present == null || limit.compareTo(present) < 0;
        if (shorter && limit.compareTo(Duration.ZERO) > 0) {
          limits.add(limit);
        }
      }
    }
    return List.copyOf(limits);
  }

  /** Rounds down to a length that a user would write, and that still fits a moment later. */
  private static Duration rounded(Duration limit) {
    long seconds = limit.toSeconds();
    long step = seconds >= 1_200 ? 60 : seconds >= 120 ? 10 : 1;
    return Duration.ofSeconds(seconds / step * step);
  }

  /** Seeks the largest number of slices by bisection. */
  private Optional<Alternative> fewerSlices(JobEntry job, StateSnapshot snapshot) {
    WorkloadShape shape = job.workload().shape();
    AcceleratorRequest asked = shape.accelerator();
    if (asked == null || hasRoom(job)) {
      return Optional.empty();
    }
    int start = 0;
    int low = 1;
    int high = asked.slices().min() - 1;
    for (int trials = 0; low <= high && trials < TRIALS_MAX; trials++) {
      int slices = low + (high - low) / 2;
      AcceleratorRequest fewer =
          new AcceleratorRequest(
              asked.type(), asked.topology(), SliceRange.exactly(slices), asked.hostsPerSlice());
      WorkloadShape smaller =
          new WorkloadShape(
              shape.podSets(slices), fewer, shape.computeClass(), shape.onlyFlavors());
      if (startsAnew(job, smaller, snapshot)) {
        start = slices;
        low = slices + 1;
      } else {
        high = slices - 1;
      }
    }
    return start == 0 ? Optional.empty() : Optional.of(new FewerSlices(start));
  }

  /** Returns whether a job holds or claims room, which it would lose if it were submitted anew. */
  private static boolean hasRoom(JobEntry job) {
    return !job.live().isEmpty() || !job.claiming().isEmpty();
  }

  /** Returns whether a job of another shape would start if it were submitted now in its place. */
  private boolean startsAnew(JobEntry job, WorkloadShape shape, StateSnapshot snapshot) {
    Workload workload = job.workload();
    Workload anew =
        new Workload(
            ANEW,
            workload.name(),
            workload.queue(),
            workload.priority(),
            new Workload.Submitted(now, workload.submitter()),
            shape,
            workload.limits(),
            workload.array());
    List<JobRecord> jobs = new ArrayList<>();
    for (JobRecord record : snapshot.jobs()) {
      jobs.add(record.workload().id().equals(job.id()) ? fresh(record, anew) : record);
    }
    return starts(snapshot.with(jobs, snapshot.attempts()), ANEW, List.of());
  }

  /** Tries the other classes by name, and then the job without a class. */
  private Optional<Alternative> otherClass(
      AdmissionState state, JobEntry job, StateSnapshot snapshot) {
    WorkloadShape shape = job.workload().shape();
    if (hasRoom(job)) {
      return Optional.empty();
    }
    List<@Nullable String> classes = new ArrayList<>();
    for (QuotaObject object : state.objects().all()) {
      if (object instanceof ComputeClass other
          && !other.meta().name().equals(shape.computeClass())
          && classes.size() < TRIALS_MAX - 1) {
        classes.add(other.meta().name());
      }
    }
    if (shape.computeClass() != null) {
      classes.add(null);
    }
    for (String name : classes) {
      WorkloadShape other =
          new WorkloadShape(shape.podSets(), shape.accelerator(), name, shape.onlyFlavors());
      if (startsAnew(job, other, snapshot)) {
        return Optional.of(new OtherComputeClass(name));
      }
    }
    return Optional.empty();
  }

  private static JobRecord fresh(JobRecord record, Workload workload) {
    return new JobRecord(
        workload,
        JobState.PENDING,
        record.succeeded(),
        record.failed(),
        new JobRecord.Asked(null, record.hold()),
        "",
        Collections.emptySortedMap(),
        Collections.emptySortedMap());
  }

  private Optional<Alternative> higherPriority(
      AdmissionState state, JobEntry job, StateSnapshot snapshot) {
    List<WorkloadPriorityClass> classes = higherClasses(state, job);
    for (WorkloadPriorityClass higher : classes.subList(0, Math.min(TRIALS_MAX, classes.size()))) {
      String name = higher.meta().name();
      WorkloadPriority priority = new WorkloadPriority(higher.value(), higher.preemptible());
      Input.PrioritizeJob input = new Input.PrioritizeJob(job.id(), "trial", name, priority);
      if (starts(snapshot, job.id(), List.of(input))) {
        return Optional.of(new HigherPriority(name, higher.value()));
      }
    }
    return Optional.empty();
  }

  /** Returns the higher classes that the job's LocalQueue allows, lowest first, one of a value. */
  private static List<WorkloadPriorityClass> higherClasses(AdmissionState state, JobEntry job) {
    LocalQueue queue = state.objects().localQueue(job.workload().queue());
    TreeMap<Integer, WorkloadPriorityClass> byValue = new TreeMap<>();
    for (QuotaObject object : state.objects().all()) {
      if (object instanceof WorkloadPriorityClass one
          && one.value() > job.priority()
          && isAllowed(queue, one)) {
        byValue.putIfAbsent(one.value(), one);
      }
    }
    return List.copyOf(byValue.values());
  }

  private static boolean isAllowed(@Nullable LocalQueue queue, WorkloadPriorityClass one) {
    return queue == null || queue.limits().allows(one.meta().name());
  }
}
