// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import io.sluice.admission.ordering.QueueOrder;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.HeadStart;
import io.sluice.admission.state.record.Hold;
import io.sluice.admission.state.record.HostLosses;
import io.sluice.admission.state.record.IndexProgress;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.state.record.LimitChange;
import io.sluice.admission.state.record.PriorityChange;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.admission.state.usage.Shapes;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A job that has not ended. Only the state changes it. Collections are created when needed. */
public final class JobEntry implements Comparable<JobEntry> {
  /** Queue order without rank delays. */
  public static final Comparator<JobEntry> UNRANKED =
      Comparator.comparing(JobEntry::workload, QueueOrder.UNRANKED);

  private Workload workload;
  private long order;
  private int nanos;
  private final Shapes.Shape shape;
  private final QueueState queue;
  private JobIndices indices = JobIndices.UNTOUCHED;
  private @Nullable TreeMap<Integer, RungProgress> ladder;
  private @Nullable String cancelledBy;
  private @Nullable Hold hold;
  private @Nullable PriorityChange priorityChange;
  private @Nullable HeadStart headStart;
  private @Nullable LimitChange limitChange;
  private @Nullable PendingMark pendingMark;
  private boolean counted;
  private @Nullable JobState end;
  private String message = "";
  private HostLosses hostLosses = HostLosses.NONE;
  private @Nullable PlannedStart planned;

  public JobEntry(Workload workload, Shapes.Shape shape, QueueState queue) {
    this.shape = shape;
    this.queue = queue;
    this.workload = workload.withRankDelay(rankDelay(workload, queue));
    place();
  }

  private void place() {
    order = QueueNumber.of(workload);
    nanos = QueueNumber.nanos(workload);
  }

  /** Returns the rank delay of a workload, by its longest run time and the policies of a queue. */
  private static Duration rankDelay(Workload workload, QueueState queue) {
    return queue.spec().policies().ranking().delay(workload.limits().longestRun());
  }

  public static JobEntry restore(JobRecord stored, Shapes.Shape shape, QueueState queue) {
    JobEntry entry = new JobEntry(stored.placed(), shape, queue);
    entry.indices = JobIndices.restore(stored);
    entry.cancelledBy = stored.cancelledBy();
    entry.hold = stored.hold();
    entry.priorityChange = stored.asked().priority();
    entry.headStart = stored.asked().headStart();
    entry.limitChange = stored.asked().limit();
    entry.hostLosses = stored.hostLosses();
    entry.message = stored.message();
    entry.planned = stored.planned();
    if (!stored.ladder().isEmpty()) {
      entry.ladder = new TreeMap<>(stored.ladder());
    }
    return entry;
  }

  public Workload workload() {
    return workload;
  }

  public JobId id() {
    return workload.id();
  }

  public int priority() {
    return workload.priority().value();
  }

  /** Returns priority and age as one number; smaller is first. See {@link #compareTo}. */
  public long order() {
    return order;
  }

  /** Returns the age among equal {@link #order}; 0 if the order number cannot hold the second. */
  public int nanos() {
    return nanos;
  }

  public IndexKey index(int index) {
    return new IndexKey(workload.id(), index);
  }

  /** Returns the number of the workload's shape; equal shapes have equal numbers. */
  public int shapeNumber() {
    return shape.number();
  }

  /** Returns the workload's shape; equal shapes share one instance. */
  public Shapes.Shape shape() {
    return shape;
  }

  /** Whether quota alone decides whether it fits, and it gets exactly the demand of its shape. */
  public boolean ofQuotaAlone() {
    return (ladder == null || ladder.isEmpty()) && shape.ofQuotaAlone();
  }

  public QueueState queue() {
    return queue;
  }

  public IndexRanges succeeded() {
    return indices.succeeded();
  }

  public IndexRanges failed() {
    return indices.failed();
  }

  public @Nullable String cancelledBy() {
    return cancelledBy;
  }

  /** Returns its hold; null if it is not held. */
  public @Nullable Hold hold() {
    return hold;
  }

  /** Returns its last change of priority class; null if it has the submitted one. */
  public @Nullable PriorityChange priorityChange() {
    return priorityChange;
  }

  public void prioritize(PriorityChange change) {
    priorityChange = change;
    workload = workload.withPriority(change.priority());
    place();
  }

  /** Returns its last change of time limit; null if it has the submitted one. */
  public @Nullable LimitChange limitChange() {
    return limitChange;
  }

  /** Changes its time limit. Its place in its queue follows only by {@link #rank}. */
  public void limit(LimitChange change) {
    limitChange = change;
    workload = workload.withTimeLimit(change.timeLimit());
  }

  /** Supposes another time limit; returns how to undo it. */
  public Runnable supposeLimit(LimitChange change) {
    Workload before = workload;
    LimitChange last = limitChange;
    limit(change);
    return () -> {
      workload = before;
      limitChange = last;
    };
  }

  /** Returns its head start; null if it has none. */
  public @Nullable HeadStart headStart() {
    return headStart;
  }

  public void setHeadStart(HeadStart given) {
    headStart = given;
    workload = workload.withHeadStart(given.time());
    place();
  }

  /** Returns whether its time limit, or the policies of its queue, ask for another rank delay. */
  public boolean hasToRank() {
    return !workload.submitted().rankDelay().equals(rankDelay(workload, queue));
  }

  /** Sets its rank delay by its time limit and the policies of its queue. */
  public void rank() {
    workload = workload.withRankDelay(rankDelay(workload, queue));
    place();
  }

  /** Returns its planned start; null if it has none. */
  public @Nullable PlannedStart planned() {
    return planned;
  }

  public void plan(@Nullable PlannedStart start) {
    planned = start;
  }

  /** Returns whether it holds or claims quota. */
  public boolean busy() {
    return indices.busy();
  }

  /** Returns its live attempts, by index. */
  public Collection<Attempt> live() {
    return indices.live();
  }

  public @Nullable Attempt live(int index) {
    return indices.live(index);
  }

  /** Returns the indices that hold a claim. */
  public SortedSet<Integer> claiming() {
    return indices.claiming();
  }

  /** Returns the progress of the indices that were reached and have not ended. */
  public SortedMap<Integer, IndexProgress> progress() {
    return indices.progress();
  }

  /** Returns its progress on the rungs of its class that it has reached. */
  public SortedMap<Integer, RungProgress> ladder() {
    return ladder == null
        ? Collections.emptySortedMap()
        : Collections.unmodifiableSortedMap(ladder);
  }

  public void setRung(int rung, @Nullable RungProgress rungProgress) {
    if (ladder == null) {
      ladder = new TreeMap<>();
    }
    ladder.compute(rung, (any, before) -> rungProgress);
  }

  /** Returns its indices for a change. */
  private JobIndices change() {
    if (indices == JobIndices.UNTOUCHED) {
      indices = new JobIndices();
    }
    return indices;
  }

  /** Returns the number of the last attempt of an index; 0 if there was none. */
  public int attempts(int index) {
    return indices.progress(index).attempts();
  }

  /** Returns the counted failures of an index. */
  public int failures(int index) {
    return indices.progress(index).failures();
  }

  /** Returns the number of consecutive missed starts of an index, up to the last attempt. */
  public int missedStarts(int index) {
    return indices.progress(index).missedStarts();
  }

  /** Returns the checkpoint for the next start of an index; null for the beginning. */
  public @Nullable String checkpoint(int index) {
    return indices.progress(index).checkpoint();
  }

  /** Returns its consecutive losses of hosts. */
  public HostLosses hostLosses() {
    return hostLosses;
  }

  public void setHostLosses(HostLosses losses) {
    hostLosses = losses;
  }

  /** Returns when an index was last requeued after a missed start; null if none was. */
  public @Nullable Instant missedAt() {
    return indices.missedAt();
  }

  /** Sets the time that replaces its age among jobs of its priority; null restores the age. */
  public void standBehind(@Nullable Instant time) {
    workload = workload.withBehindSince(time);
    place();
  }

  /** Returns the execution time of an index in ended attempts; zero if unlimited. */
  public Duration executed(int index) {
    return indices.progress(index).executed();
  }

  /** Returns the number of indices that have ended for good. */
  public int endedCount() {
    return indices.succeeded().size() + indices.failed().size();
  }

  /**
   * Returns the index to admit next: the lowest requeued one that may be tried by now, else the
   * lowest that was never admitted. Empty at {@code maxParallel}, if none is left, or if the job is
   * held, cancelled or ended.
   */
  public OptionalInt nextIndex(Instant now) {
    boolean closed = cancelledBy != null || end != null || hold != null;
    return closed ? OptionalInt.empty() : indices.next(now, workload.array());
  }

  /**
   * Returns the number of indices that hold or claim quota; an index that does both counts once.
   */
  public int takenIndices() {
    return indices.taken();
  }

  /** Returns when the next requeued index may be tried; null if none has a delay. */
  public @Nullable Instant nextNotBefore(Instant now) {
    return indices.nextNotBefore(now);
  }

  /** Returns the state of the job, which is that of its most advanced live index. */
  public JobState state() {
    if (end != null) {
      return end;
    }
    JobState state = JobState.PENDING;
    for (Attempt attempt : live()) {
      if (attempt.state() == AttemptState.RUNNING) {
        return JobState.RUNNING;
      }
      boolean admitted = attempt.state() == AttemptState.ADMITTED || state == JobState.ADMITTED;
      state = admitted ? JobState.ADMITTED : JobState.DRAINING;
    }
    return state;
  }

  public void admit(Attempt attempt) {
    change().admit(attempt);
  }

  public void restoreLive(Attempt attempt) {
    change().restoreLive(attempt);
  }

  public void attemptStarted(Attempt attempt) {
    change().started(attempt.key().index());
  }

  public void attemptEnded(Attempt attempt, AttemptRecord.Result result) {
    change().ended(attempt, result, counted(attempt));
    hostLosses =
        hostLosses.after(attempt.startedAt(), attempt.presentSince(), attempt.endedAt(), result);
  }

  public void save(int index, String text) {
    change().save(index, text);
  }

  /** Returns the execution time of an ended attempt; zero if the job has no limit. */
  private Duration counted(Attempt attempt) {
    Instant endedAt = attempt.endedAt();
    return workload.limits().maximumExecution() == null || endedAt == null
        ? Duration.ZERO
        : Duration.between(attempt.admittedAt(), endedAt);
  }

  public void requeue(int index, Instant notBefore) {
    change().requeue(index, notBefore);
  }

  public void finish(int index, boolean success) {
    change().finish(index, success);
  }

  public void claim(int index) {
    change().claim(index);
  }

  public void unclaim(int index) {
    change().unclaim(index);
  }

  public void cancel(String caller) {
    cancelledBy = caller;
  }

  /** Sets the hold; null releases the job and clears its losses of hosts. */
  public void setHold(@Nullable Hold wanted) {
    hold = wanted;
    hostLosses = wanted == null ? HostLosses.NONE : hostLosses;
  }

  /** Returns the position kept by the index of pending jobs; null if the job is not pending. */
  public @Nullable PendingMark pendingMark() {
    return pendingMark;
  }

  public void setPendingMark(@Nullable PendingMark mark) {
    pendingMark = mark;
  }

  public boolean counted() {
    return counted;
  }

  public void setCounted(boolean running) {
    counted = running;
  }

  public void end(JobState state, String why) {
    hold = null;
    end = state;
    message = why;
  }

  public JobRecord toRecord() {
    return new JobRecord(
        workload.withBehindSince(null).withHeadStart(null).withRankDelay(Duration.ZERO),
        state(),
        indices.succeeded(),
        indices.failed(),
        new JobRecord.Asked(cancelledBy, hold, priorityChange, headStart, hostLosses, limitChange),
        message,
        progress(),
        ladder(),
        planned);
  }

  /** Compares by queue order. The numbers decide nearly always, which saves the comparator. */
  @Override
  public int compareTo(JobEntry other) {
    if (order != other.order) {
      return order < other.order ? -1 : 1;
    }
    if (nanos != other.nanos) {
      return nanos < other.nanos ? -1 : 1;
    }
    return QueueOrder.OF_WORKLOADS.compare(workload, other.workload);
  }

  @Override
  public String toString() {
    return workload.name() + " (" + workload.id() + ")";
  }
}
