// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.LastResize;
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

/** An attempt that holds quota, and slices where it was given them. Only the state changes it. */
public final class Attempt {
  /** How long after its grace period an attempt may take to be confirmed gone. */
  public static final Duration DRAIN_ALLOWANCE = Duration.ofMinutes(5);

  /** How long an attempt does not grow after a resize. */
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

  /** Jobs that lost the room to it; they may not evict it in turn. */
  public SortedSet<JobId> displaced() {
    return Collections.unmodifiableSortedSet(displaced);
  }

  /** What its assignment uses of its queue's quota. */
  public Usage usage() {
    return usage;
  }

  /** What it holds of its queue's quota: what it uses, and what it let go of and still holds. */
  public Usage held() {
    return held;
  }

  /** How it last went on with other slices; null: it has those that it began with. */
  public @Nullable LastResize lastResize() {
    return lastResize;
  }

  /** Whether nothing is left of older generations than its present one. */
  public boolean settled() {
    return lastResize == null || lastResize.settled();
  }

  /** The slices that it let go of and still holds. */
  public List<String> letGo() {
    return lastResize == null ? List.of() : lastResize.letGo();
  }

  /**
   * Whether it is about to leave a slice: it is told to end, and not overdue, or has let go of it.
   */
  public boolean leaves(String slice) {
    return leaving() || letGo().contains(slice);
  }

  /** When its present generation has to be reported started; of one that was not. */
  public Instant startBy() {
    Duration deadline = job.workload().limits().deadlines().start();
    return settled() ? admittedAt.plus(deadline) : lastResizeAt().plus(settleTime());
  }

  /** How long an older generation may take to end, and the next to start. */
  public Duration settleTime() {
    JobLimits limits = job.workload().limits();
    return limits.gracePeriod().plus(limits.deadlines().start());
  }

  /** Whether its job may have more or fewer slices; its pods must not have been placed. */
  public boolean elastic() {
    AcceleratorRequest accelerator = job.workload().shape().accelerator();
    return accelerator != null && accelerator.elastic() && resizable();
  }

  /** Whether its slices can be others: the pods of each are where it is. */
  public boolean resizable() {
    return !assignment.slices().isEmpty()
        && assignment.podSets().stream().allMatch(podSet -> podSet.topology() == null);
  }

  /** How many slices its job may have. */
  public SliceRange range() {
    AcceleratorRequest accelerator = job.workload().shape().accelerator();
    return Objects.requireNonNull(accelerator).slices();
  }

  /** From when on it may grow, as far as its last resize is concerned. */
  public Instant mayGrowFrom() {
    return lastResize == null ? admittedAt : lastResize.at().plus(GROW_PAUSE);
  }

  /**
   * By when it has ended, come what may; null: it need not.
   *
   * @param allowance for its processes to be gone once they are killed
   */
  public @Nullable Instant latestEnd(Duration allowance) {
    JobLimits limits = job.workload().limits();
    Instant told = draining() ? drainingAt : timeEnd(startedAt == null ? startBy() : startedAt);
    Instant own = told == null ? null : told.plus(limits.gracePeriod()).plus(allowance);
    return Timer.earlier(own, leaseEnd());
  }

  /** When its time is used up; null: neither it nor its index has a limit. */
  private @Nullable Instant timeEnd(@Nullable Instant started) {
    Duration limit = job.workload().limits().timeLimit();
    return Timer.earlier(
        limit == null || started == null ? null : started.plus(limit), executedBy());
  }

  /** Since when it is on its present slices. */
  public Instant presentSince() {
    return lastResize == null ? admittedAt : lastResize.at();
  }

  private Instant lastResizeAt() {
    return Objects.requireNonNull(lastResize).at();
  }

  /** What its present generation, once it is started, goes on from; null: it saved nothing. */
  public @Nullable String checkpoint() {
    return checkpoint;
  }

  public void save(String text) {
    checkpoint = text;
  }

  /** What it holds quota for: its assignment, on as many slices as processes may still be on. */
  public Assignment counted() {
    int slices = assignment.slices().size();
    return lastResize == null || lastResize.counted() == slices
        ? assignment
        : assignment.onSlices(Collections.nCopies(lastResize.counted(), ""));
  }

  /** The slices that it holds, those among them that it let go of. */
  public List<String> heldSlices() {
    List<String> all = new ArrayList<>(assignment.slices());
    all.addAll(letGo());
    return all;
  }

  /** It goes on with these slices, as its next generation. */
  public Event.AttemptResized onSlices(List<String> slices, Resize why) {
    return new Event.AttemptResized(key, generation + 1, assignment.onSlices(slices), why);
  }

  /** Where slices for it are taken from; null: its flavors do not say. */
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

  /** Its progress is counted anew from here. */
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

  /** Whether it drains, and its room counts as good as free. */
  public boolean leaving() {
    return draining() && !overdue;
  }

  /**
   * Whether it drains for longer than its grace period and {@link #DRAIN_ALLOWANCE}: its room is
   * its own again until it is gone.
   */
  public boolean overdue() {
    return overdue;
  }

  /** When it is overdue if it has not drained by then; only of one that was told to end. */
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

  /** When it was told to end; null if it was not. */
  public @Nullable Instant drainingAt() {
    return drainingAt;
  }

  /** How it comes on. */
  public AttemptRecord.Progress progress() {
    return progress;
  }

  /** Why it was told to end; only of one that was. */
  public Drain drain() {
    return Objects.requireNonNull(drain);
  }

  /** How long it has to end by itself; only of one that was told to end. */
  public Duration gracePeriod() {
    Duration own = job.workload().limits().gracePeriod();
    Duration notice = drain().notice();
    return notice != null && notice.compareTo(own) < 0 ? notice : own;
  }

  public void place(List<PodSetAssignment> podSets) {
    assignment =
        new Assignment(assignment.clusterQueue(), podSets, assignment.slices(), assignment.rung());
  }

  /** When nothing of it was left; null before. */
  public @Nullable Instant endedAt() {
    return endedAt;
  }

  /** When it has used up what its index may execute in all; null if that is not bounded. */
  public @Nullable Instant executedBy() {
    Duration most = job.workload().limits().maximumExecution();
    return most == null ? null : admittedAt.plus(most).minus(job.executed(key.index()));
  }

  /** On what terms it has its capacity. */
  public CapacityTerms terms() {
    return terms;
  }

  /** When its provider takes its capacity back; null if it does not. */
  public @Nullable Instant leaseEnd() {
    Duration maxRun = terms.maxRun();
    return maxRun == null ? null : admittedAt.plus(maxRun);
  }

  /** How long before the end of its lease it is told to end; null without a lease. */
  public @Nullable Duration leaseLead() {
    Duration maxRun = terms.maxRun();
    return maxRun == null
        ? null
        : CapacityTerms.lead(maxRun, job.workload().limits().gracePeriod());
  }

  /**
   * The end of its time and its grace, or that of its lease if it is sooner; null without either,
   * or if only its time is limited and it has not started.
   */
  public @Nullable Instant latestEnd() {
    Instant end = timeEnd(startedAt);
    Duration grace = job.workload().limits().gracePeriod();
    return Timer.earlier(end == null ? null : end.plus(grace), leaseEnd());
  }

  /** Counts anew what it uses and holds. */
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

  /** What of this is to be kept. */
  public AttemptRecord toRecord() {
    return new AttemptRecord(
        key,
        generation,
        state,
        assignment,
        List.copyOf(displaced),
        new AttemptRecord.Times(
            admittedAt, startedAt, drainingAt, progress, endedAt, requeuedNotBefore),
        drain,
        result,
        lastResize,
        checkpoint,
        terms.equals(CapacityTerms.NONE) ? null : terms);
  }
}
