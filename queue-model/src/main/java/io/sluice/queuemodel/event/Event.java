// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A fact recorded by the engine; the events of a round form a batch. The engine's memory changes by
 * events only; when they happened is the time of the round that recorded them.
 */
public sealed interface Event
    permits Event.ObjectSet,
        Event.ObjectRemoved,
        Event.FleetSet,
        Event.JobEnqueued,
        Event.CancelRequested,
        Event.JobHeld,
        Event.JobReleased,
        Event.JobPrioritized,
        Event.HeadStartGiven,
        Event.Admitted,
        Event.Claimed,
        Event.ClaimEnded,
        Event.IndexRequeued,
        Event.IndexFinished,
        Event.JobFinished,
        Event.RunChanged,
        Event.OfAttempt,
        RungEvent,
        SliceEvent,
        PlanEvent,
        LimitEvent {
  <R> R fold(Fold<R> fold);

  /** Calls the action for its kind. */
  default void handle(EventHandler handler) {
    fold(new EventDispatch(handler));
  }

  /** The job it is about; null if it is about none. */
  @Nullable JobId job();

  /** One function a kind. */
  interface Fold<R> {
    R objectSet(ObjectSet event);

    R objectRemoved(ObjectRemoved event);

    R fleetSet(FleetSet event);

    R jobEnqueued(JobEnqueued event);

    R cancelRequested(CancelRequested event);

    R jobHeld(JobHeld event);

    R jobReleased(JobReleased event);

    R jobPrioritized(JobPrioritized event);

    R headStartGiven(HeadStartGiven event);

    R lossConfirmed(LossConfirmed event);

    R admitted(Admitted event);

    R claimed(Claimed event);

    R claimEnded(ClaimEnded event);

    R attemptStarted(AttemptStarted event);

    R attemptProgressed(AttemptProgressed event);

    R attemptStalled(AttemptStalled event);

    R podsPlaced(PodsPlaced event);

    R attemptResized(AttemptResized event);

    R generationSettled(GenerationSettled event);

    R checkpointReported(CheckpointReported event);

    R attemptDraining(AttemptDraining event);

    R attemptEnded(AttemptEnded event);

    R indexRequeued(IndexRequeued event);

    R indexFinished(IndexFinished event);

    R jobFinished(JobFinished event);

    R runChanged(RunChanged event);

    R rungOpened(RungEvent.RungOpened event);

    R rungPaused(RungEvent.RungPaused event);

    R rungClosed(RungEvent.RungClosed event);

    R rungLeft(RungEvent.RungLeft event);

    R slicesGranted(SliceEvent.SlicesGranted event);

    R grantRefused(SliceEvent.GrantRefused event);

    R slicesPassedOn(SliceEvent.SlicesPassedOn event);

    R slicesReleased(SliceEvent.SlicesReleased event);

    R sliceLeaving(SliceEvent.SliceLeaving event);

    R sliceLost(SliceEvent.SliceLost event);

    R sliceReturned(SliceEvent.SliceReturned event);

    R startPlanned(PlanEvent.StartPlanned event);

    R planWithdrawn(PlanEvent.PlanWithdrawn event);

    R timeLimitChanged(LimitEvent.TimeLimitChanged event);

    R timeLimitRefused(LimitEvent.TimeLimitRefused event);
  }

  /** What happened to an attempt. */
  sealed interface OfAttempt extends Event {
    AttemptKey attempt();

    @Override
    default JobId job() {
      return attempt().job();
    }
  }

  /** A quota object was created or replaced. */
  record ObjectSet(QuotaObject object, long generation) implements Event {
    @Override
    public @Nullable JobId job() {
      return null;
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.objectSet(this);
    }
  }

  /** A quota object was removed. */
  record ObjectRemoved(ObjectKey key) implements Event {
    @Override
    public @Nullable JobId job() {
      return null;
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.objectRemoved(this);
    }
  }

  /** The fleet was replaced. */
  record FleetSet(Fleet fleet) implements Event {
    @Override
    public @Nullable JobId job() {
      return null;
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.fleetSet(this);
    }
  }

  /** A job entered its queue. */
  record JobEnqueued(Workload workload) implements Event {
    @Override
    public JobId job() {
      return workload.id();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.jobEnqueued(this);
    }
  }

  /** The end of a job was requested; its live attempts drain first. */
  record CancelRequested(JobId job, String caller) implements Event {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.cancelRequested(this);
    }
  }

  /** A job was put on hold: it is not admitted until it is released. */
  record JobHeld(JobId job, String caller) implements Event {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.jobHeld(this);
    }
  }

  /** A held job was released and is pending again, in its old place. */
  record JobReleased(JobId job, String caller) implements Event {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.jobReleased(this);
    }
  }

  /** A job got another priority class and priority; its age did not change. */
  record JobPrioritized(JobId job, String caller, String className, WorkloadPriority priority)
      implements Event {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.jobPrioritized(this);
    }
  }

  /**
   * A job counts as queued earlier, among pending jobs of its priority.
   *
   * @param caller on whose behalf
   * @param headStart how much earlier, in all
   * @param reason for people
   */
  record HeadStartGiven(JobId job, String caller, Duration headStart, String reason)
      implements Event {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.headStartGiven(this);
    }
  }

  /**
   * An index was admitted: it holds quota, and slices if it requested them.
   *
   * @param displaced jobs that lost the room to it; they may not evict it in turn
   * @param terms of its rung; none without one
   */
  record Admitted(
      AttemptKey attempt,
      int generation,
      Assignment assignment,
      List<JobId> displaced,
      @Nullable CapacityTerms terms)
      implements Event {
    public Admitted {
      displaced = List.copyOf(displaced);
    }

    /** On no terms. */
    public Admitted(
        AttemptKey attempt, int generation, Assignment assignment, List<JobId> displaced) {
      this(attempt, generation, assignment, displaced, null);
    }

    @Override
    public JobId job() {
      return attempt.job();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.admitted(this);
    }
  }

  /** An index waits for its victims to go. */
  record Claimed(Claim claim) implements Event {
    @Override
    public JobId job() {
      return claim.holder().job();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.claimed(this);
    }
  }

  /** A claim ended. */
  record ClaimEnded(IndexKey holder, Claim.End end) implements Event {
    @Override
    public JobId job() {
      return holder.job();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.claimEnded(this);
    }
  }

  /** An executor reported the start of an attempt. */
  record AttemptStarted(AttemptKey attempt) implements OfAttempt {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.attemptStarted(this);
    }
  }

  /**
   * An attempt made progress; it is no longer stalled.
   *
   * @param text what it says of that; may be empty
   */
  record AttemptProgressed(AttemptKey attempt, String text) implements OfAttempt {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.attemptProgressed(this);
    }
  }

  /** Pods of an attempt were placed on nodes, or moved to others. */
  record PodsPlaced(AttemptKey attempt, List<PodSetAssignment> podSets) implements OfAttempt {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.podsPlaced(this);
    }
  }

  /** An attempt made no progress for its progress deadline. */
  record AttemptStalled(AttemptKey attempt) implements OfAttempt {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.attemptStalled(this);
    }
  }

  /**
   * An attempt continues on other slices, in a new generation. Slices that it had and has no more
   * are let go of: it holds them until the generation is settled or the attempt has ended.
   *
   * @param generation number of the generation that begins
   * @param assignment what it has from now on
   */
  record AttemptResized(AttemptKey attempt, int generation, Assignment assignment, Resize resize)
      implements OfAttempt {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.attemptResized(this);
    }
  }

  /**
   * No process of an older generation of the attempt is left; the slices that it let go of are
   * free.
   */
  record GenerationSettled(AttemptKey attempt, int generation) implements OfAttempt {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.generationSettled(this);
    }
  }

  /**
   * An attempt saved a checkpoint.
   *
   * @param generation that saved it
   * @param text names what a later start goes on from
   */
  record CheckpointReported(AttemptKey attempt, int generation, String text) implements OfAttempt {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.checkpointReported(this);
    }
  }

  /**
   * An administrator confirmed that nothing is left of a draining attempt.
   *
   * @param caller who
   */
  record LossConfirmed(AttemptKey attempt, String caller) implements OfAttempt {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.lossConfirmed(this);
    }
  }

  /** An attempt was told to end. */
  record AttemptDraining(AttemptKey attempt, Drain drain) implements OfAttempt {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.attemptDraining(this);
    }
  }

  /**
   * An attempt ended: no process is left, and its quota and slices are free.
   *
   * @param cause of a failure, else null
   * @param message one line for people; empty if there is nothing to say
   */
  record AttemptEnded(
      AttemptKey attempt, AttemptOutcome outcome, @Nullable FailureCause cause, String message)
      implements OfAttempt {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.attemptEnded(this);
    }
  }

  /**
   * An index returned to its queue.
   *
   * @param notBefore when it may be admitted again
   */
  record IndexRequeued(IndexKey index, Instant notBefore) implements Event {
    @Override
    public JobId job() {
      return index.job();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.indexRequeued(this);
    }
  }

  /** An index finished and is not retried. */
  record IndexFinished(IndexKey index, boolean succeeded) implements Event {
    @Override
    public JobId job() {
      return index.job();
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.indexFinished(this);
    }
  }

  /**
   * A job finished.
   *
   * @param state a terminal one
   * @param message one line for people; empty if there is nothing to say
   */
  record JobFinished(JobId job, JobState state, String message) implements Event {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.jobFinished(this);
    }
  }

  /**
   * A run of a pipeline, steps of it, or parts of these changed state. The engine records it for
   * those who watch the journal; it changes nothing in the engine's memory.
   *
   * @param number of the run among those of its pipeline, from 1
   * @param state of the run after the change
   * @param reason of the state, for people; may be empty
   * @param steps those of which the state or a part changed, with their states; empty if only the
   *     run changed
   */
  record RunChanged(
      UUID run,
      String namespace,
      String pipeline,
      long number,
      String state,
      String reason,
      List<Step> steps)
      implements Event {
    public RunChanged {
      steps = List.copyOf(steps);
    }

    /** A step of a run with its state. */
    public record Step(String name, String state) {}

    @Override
    public @Nullable JobId job() {
      return null;
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.runChanged(this);
    }
  }
}
