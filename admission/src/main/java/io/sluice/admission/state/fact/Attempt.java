// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import io.sluice.admission.policy.EndAllowances;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.LastResize;
import io.sluice.admission.state.record.LimitChange;
import io.sluice.admission.state.record.Timer;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.AttemptOutcome;
import io.sluice.queuemodel.event.CapacityTerms;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.event.Resize;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.SliceRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A live execution of an index, which holds quota and assigned slices. Only the state changes it.
 */
public final class Attempt {
  /** Time after the grace period before a draining attempt counts as overdue. */
  public static final Duration DRAIN_ALLOWANCE = EndAllowances.DEFAULT.drain();

  /** Minimum time between a resize and the next growth. */
  private static final Duration GROW_PAUSE = Duration.ofMinutes(1);

  private final AttemptKey key;
  private int generation;
  private final JobEntry job;
  private Assignment assignment;
  private final SortedSet<JobId> displaced;
  private final Instant admittedAt;
  private final CapacityTerms terms;
  private Usage usage;
  private Usage held;
  private AttemptState state = AttemptState.ADMITTED;
  private @Nullable Instant startedAt;
  private @Nullable Instant drainingAt;
  private boolean overdue;
  private AttemptRecord.Progress progress = AttemptRecord.Progress.NONE;
  private @Nullable Instant endedAt;
  private @Nullable Instant requeuedNotBefore;
  private @Nullable Drain drain;
  private @Nullable LastResize lastResize;
  private @Nullable String checkpoint;
  private AttemptRecord.@Nullable Saved saved;
  private AttemptRecord.@Nullable Result result;

  public Attempt(Event.Admitted admission, JobEntry job, Usage usage, Instant admittedAt) {
    this.key = admission.attempt();
    this.generation = admission.generation();
    this.job = job;
    this.assignment = admission.assignment();
    this.displaced = new TreeSet<>(admission.displaced());
    this.usage = usage;
    this.held = usage;
    this.admittedAt = admittedAt;
    this.terms = admission.terms() == null ? CapacityTerms.NONE : admission.terms();
  }

  public static Attempt restore(
      AttemptRecord stored, JobEntry job, Function<Assignment, Usage> count) {
    Attempt attempt =
        new Attempt(
            new Event.Admitted(
                stored.key(),
                stored.generation(),
                stored.assignment(),
                stored.displaced(),
                stored.terms()),
            job,
            count.apply(stored.assignment()),
            stored.times().admitted());
    attempt.state = stored.state();
    attempt.startedAt = stored.times().started();
    attempt.drainingAt = stored.times().draining();
    attempt.progress = stored.times().progress();
    attempt.drain = stored.drain();
    attempt.lastResize = stored.lastResize();
    attempt.checkpoint = stored.checkpoint();
    attempt.saved = stored.times().saved();
    attempt.held = attempt.countHeld(count);
    return attempt;
  }

  public AttemptKey key() {
    return key;
  }

  public int generation() {
    return generation;
  }

  public JobEntry job() {
    return job;
  }

  public Assignment assignment() {
    return assignment;
  }

  /** Returns the jobs that lost room to this attempt and may not evict it in turn. */
  public SortedSet<JobId> displaced() {
    return Collections.unmodifiableSortedSet(displaced);
  }

  /** Returns the usage of its assignment. */
  public Usage usage() {
    return usage;
  }

  /** Returns the usage that it holds: that of its assignment, and of slices that it let go of. */
  public Usage held() {
    return held;
  }

  /** Returns its last resize; null if it still has its first slices. */
  public @Nullable LastResize lastResize() {
    return lastResize;
  }

  /** Returns whether nothing is left of older generations. */
  public boolean settled() {
    return lastResize == null || lastResize.settled();
  }

  /** Returns the slices that it let go of and still holds. */
  public List<String> letGo() {
    return lastResize == null ? List.of() : lastResize.letGo();
  }

  /**
   * Returns whether it is leaving a slice: it drains and is not overdue, or let go of the slice.
   */
  public boolean leaves(String slice) {
    return leaving() || letGo().contains(slice);
  }

  /** Returns the deadline by which its current generation must be reported started. */
  public Instant startBy() {
    Duration deadline = job.workload().limits().deadlines().start();
    return settled() ? admittedAt.plus(deadline) : lastResizeAt().plus(settleTime());
  }

  /** Returns whether it started after its start deadline, which no round noticed in between. */
  public boolean startedLate() {
    Duration deadline = job.workload().limits().deadlines().start();
    return startedAt != null && startedAt.isAfter(admittedAt.plus(deadline));
  }

  /** Returns the time limit for an older generation to end and the next to start. */
  public Duration settleTime() {
    JobLimits limits = job.workload().limits();
    return limits.gracePeriod().plus(limits.deadlines().start());
  }

  /** Returns whether its job is elastic and its slices can change. */
  public boolean elastic() {
    AcceleratorRequest accelerator = job.workload().shape().accelerator();
    return accelerator != null && accelerator.elastic() && resizable();
  }

  /** Returns whether its slices can change: it has slices, and its pods have no assigned places. */
  public boolean resizable() {
    return !assignment.slices().isEmpty()
        && assignment.podSets().stream().allMatch(podSet -> podSet.topology() == null);
  }

  /** Returns the range of its number of slices. */
  public SliceRange range() {
    AcceleratorRequest accelerator = job.workload().shape().accelerator();
    return Objects.requireNonNull(accelerator).slices();
  }

  /**
   * Returns whether an elastic attempt has slices above its minimum, which others may take back.
   */
  public boolean hasFillers() {
    return !draining() && assignment.slices().size() > range().min();
  }

  /** Returns the earliest time at which it may grow after its last resize. */
  public Instant mayGrowFrom() {
    return lastResize == null ? admittedAt : lastResize.at().plus(GROW_PAUSE);
  }

  /**
   * Returns the time by which it has ended at the latest; null if it has no limit, or if it drains
   * longer than it may. It is the time at which it is told to end, plus the grace period and the
   * allowances, or the earlier end of its lease. A limit that is noticed late does not make it
   * later.
   */
  public @Nullable Instant latestEnd(EndAllowances allowances) {
    if (overdue) {
      return null;
    }
    Instant latestStart = allowances.lateStart() ? startBy() : admittedAt;
    Instant limit = timeEnd(startedAt == null ? latestStart : startedAt);
    Instant told = Timer.earlier(limit, drainingAt);
    Duration grace = job.workload().limits().gracePeriod();
    Instant own = told == null ? null : told.plus(grace).plus(allowances.drain());
    return Timer.earlier(own, leaseEnd());
  }

  /** Returns when its time limit or execution time is used up; null without either. */
  private @Nullable Instant timeEnd(@Nullable Instant started) {
    return Timer.earlier(started == null ? null : limitEnd(started), executedBy());
  }

  /**
   * Returns when its time limit is used up, if it started at a time; null without one. A limit that
   * was shortened below the time that it has run is used up at the change.
   */
  public @Nullable Instant limitEnd(Instant started) {
    Duration limit = job.workload().limits().timeLimit();
    LimitChange change = job.limitChange();
    if (limit == null) {
      return null;
    }
    Instant end = started.plus(limit);
    return change != null && change.at().isAfter(end) ? change.at() : end;
  }

  /** Returns the time since which it holds its current slices. */
  public Instant presentSince() {
    return lastResize == null ? admittedAt : lastResize.at();
  }

  private Instant lastResizeAt() {
    return Objects.requireNonNull(lastResize).at();
  }

  /** Returns the checkpoint from which its current generation starts; null if none was saved. */
  public @Nullable String checkpoint() {
    return checkpoint;
  }

  public void save(String text, Instant now) {
    checkpoint = text;
    saved = new AttemptRecord.Saved(now, unsaved(now));
  }

  /** Returns the time of its last checkpoint; null before the first. */
  public AttemptRecord.@Nullable Saved saved() {
    return saved;
  }

  /**
   * Returns how long it has worked without saving a checkpoint: since its last checkpoint, the
   * request for its current slices or its start. An eviction now would lose that work.
   */
  public Duration unsaved(Instant now) {
    Instant since = startedAt;
    if (since == null) {
      return Duration.ZERO;
    }
    since = saved == null ? since : Timer.later(since, saved.at());
    since = lastResize == null ? since : Timer.later(since, lastResize.at());
    return since.isBefore(now) ? Duration.between(since, now) : Duration.ZERO;
  }

  /**
   * Returns the time until which no other job may preempt it, by the minimum run time of its queue;
   * null if its queue has none.
   */
  public @Nullable Instant protectedUntil() {
    Duration least = job.queue().spec().policies().preemption().minRunTime();
    return least.isZero() ? null : admittedAt.plus(least);
  }

  /**
   * Returns the assignment that counts against quota, including slices still in use by processes.
   */
  public Assignment counted() {
    int slices = assignment.slices().size();
    return lastResize == null || lastResize.counted() == slices
        ? assignment
        : assignment.onSlices(Collections.nCopies(lastResize.counted(), ""));
  }

  /** Returns the slices that it holds, including those that it let go of. */
  public List<String> heldSlices() {
    List<String> all = new ArrayList<>(assignment.slices());
    all.addAll(letGo());
    return all;
  }

  /** Returns the slices that it holds and {@link #leaves}. */
  public List<String> vacating() {
    return leaving() ? heldSlices() : letGo();
  }

  /** Creates the event that moves it to these slices in its next generation. */
  public Event.AttemptResized onSlices(List<String> slices, Resize why) {
    return new Event.AttemptResized(key, generation + 1, assignment.onSlices(slices), why);
  }

  /** Returns the pool of its slices; null if its flavors determine none. */
  public @Nullable SlicePool pool() {
    return SlicePool.of(assignment, job.workload().shape());
  }

  public void resize(Event.AttemptResized event, Instant now) {
    List<String> after = event.assignment().slices();
    TreeSet<String> leaving = new TreeSet<>(assignment.slices());
    after.forEach(leaving::remove);
    leaving.addAll(letGo());
    int before = lastResize == null ? assignment.slices().size() : lastResize.counted();
    lastResize =
        LastResize.begun(event.resize(), now, List.copyOf(leaving), Math.max(before, after.size()));
    assignment = event.assignment();
    generation = event.generation();
  }

  /** Settles its resize; progress counts from now on. */
  public void settle(Instant now) {
    lastResize = Objects.requireNonNull(lastResize).settle(assignment.slices().size());
    progress = new AttemptRecord.Progress(now, null, progress.text());
  }

  public AttemptState state() {
    return state;
  }

  public boolean draining() {
    return state == AttemptState.DRAINING;
  }

  /** Returns whether it drains and its room counts as free. */
  public boolean leaving() {
    return draining() && !overdue;
  }

  /**
   * Returns whether it drains longer than its grace period plus {@link #DRAIN_ALLOWANCE}. Its room
   * then counts as in use until it is gone.
   */
  public boolean overdue() {
    return overdue;
  }

  /** Returns when it becomes overdue. Requires that it drains. */
  public Instant drainsBy() {
    return Objects.requireNonNull(drainingAt).plus(gracePeriod()).plus(DRAIN_ALLOWANCE);
  }

  public void setOverdue() {
    overdue = true;
  }

  public Instant admittedAt() {
    return admittedAt;
  }

  public @Nullable Instant startedAt() {
    return startedAt;
  }

  /** Returns when it was told to end; null if it was not. */
  public @Nullable Instant drainingAt() {
    return drainingAt;
  }

  /** Returns its last reported progress. */
  public AttemptRecord.Progress progress() {
    return progress;
  }

  /** Returns why it was told to end. Requires that it drains. */
  public Drain drain() {
    return Objects.requireNonNull(drain);
  }

  /** Returns the time that it has to end by itself. Requires that it drains. */
  public Duration gracePeriod() {
    Duration own = job.workload().limits().gracePeriod();
    Duration notice = drain().notice();
    return notice != null && notice.compareTo(own) < 0 ? notice : own;
  }

  public void place(List<PodSetAssignment> podSets) {
    assignment =
        new Assignment(assignment.clusterQueue(), podSets, assignment.slices(), assignment.rung());
  }

  /** Returns when it ended; null before. */
  public @Nullable Instant endedAt() {
    return endedAt;
  }

  /** Returns when its index reaches its maximum execution time; null if unlimited. */
  public @Nullable Instant executedBy() {
    Duration most = job.workload().limits().maximumExecution();
    return most == null ? null : admittedAt.plus(most).minus(job.executed(key.index()));
  }

  /** Returns the lease and price of its capacity. */
  public CapacityTerms terms() {
    return terms;
  }

  /** Returns when its capacity lease ends; null without one. */
  public @Nullable Instant leaseEnd() {
    Duration maxRun = terms.maxRun();
    return maxRun == null ? null : admittedAt.plus(maxRun);
  }

  /**
   * Returns the time before the end of its lease at which it is told to end; null without a lease.
   */
  public @Nullable Duration leaseLead() {
    Duration maxRun = terms.maxRun();
    return maxRun == null
        ? null
        : CapacityTerms.lead(maxRun, job.workload().limits().gracePeriod());
  }

  /** Recounts what it uses and holds. */
  public void recount(Function<Assignment, Usage> count) {
    usage = count.apply(assignment);
    held = countHeld(count);
  }

  private Usage countHeld(Function<Assignment, Usage> count) {
    Assignment counted = counted();
    return counted.equals(assignment) ? usage : count.apply(counted);
  }

  public void start(Instant now) {
    state = AttemptState.RUNNING;
    startedAt = now;
  }

  public void progress(String text, Instant now) {
    progress = new AttemptRecord.Progress(now, null, text);
  }

  public void stall(Instant now) {
    progress = new AttemptRecord.Progress(progress.at(), now, progress.text());
  }

  public void drain(Drain why, Instant now) {
    state = AttemptState.DRAINING;
    drain = why;
    drainingAt = now;
  }

  public void end(
      AttemptOutcome outcome, @Nullable FailureCause cause, String message, Instant now) {
    state = AttemptState.ENDED;
    result = new AttemptRecord.Result(outcome, cause, message);
    endedAt = now;
  }

  public void requeue(Instant notBefore) {
    requeuedNotBefore = notBefore;
  }

  /** Returns the record to store. */
  public AttemptRecord toRecord() {
    return new AttemptRecord(
        key,
        generation,
        state,
        assignment,
        List.copyOf(displaced),
        new AttemptRecord.Times(
            admittedAt, startedAt, drainingAt, progress, endedAt, requeuedNotBefore, saved),
        drain,
        result,
        lastResize,
        checkpoint,
        terms.equals(CapacityTerms.NONE) ? null : terms);
  }
}
