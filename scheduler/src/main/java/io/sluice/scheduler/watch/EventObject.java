// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.LimitEvent;
import io.sluice.queuemodel.event.PlanEvent;
import io.sluice.queuemodel.event.RungEvent;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What an event changes.
 *
 * @param kind one of {@link #kinds}, or {@link #UNKNOWN}
 * @param quota the quota object; null for the other kinds
 * @param state its state after the event; null if the event is not a change of state
 * @param slices that the event is about
 * @param index of its job; null if it is about the whole job or about none
 * @param attempt of its job; null if it is about none
 */
public record EventObject(
    String kind,
    @Nullable ObjectKey quota,
    @Nullable String state,
    List<String> slices,
    @Nullable IndexKey index,
    @Nullable AttemptKey attempt) {
  static final String JOB = "Job";
  static final String ATTEMPT = "Attempt";
  static final String SLICE = "Slice";
  static final String FLEET = "Fleet";
  static final String RUN = "Run";

  /** What an event changes that a newer version wrote, if it is about no job. */
  static final String UNKNOWN = "Unknown";

  public EventObject {
    slices = List.copyOf(slices);
  }

  /** The kinds of objects that events change. */
  public static Set<String> kinds() {
    Set<String> kinds = new TreeSet<>(List.of(JOB, ATTEMPT, SLICE, FLEET, RUN));
    for (ObjectKind kind : ObjectKind.values()) {
      kinds.add(kind.kind());
    }
    return kinds;
  }

  /** Whether it is the job of the event. */
  public boolean isJob() {
    return kind.equals(JOB);
  }

  /** What an event changes of which only the kind can be read. */
  static EventObject ofKind(String kind, boolean ofJob) {
    if (kind.equals(Event.JobEnqueued.class.getSimpleName())) {
      return job(JobState.PENDING.name(), null);
    }
    return new EventObject(ofJob ? JOB : UNKNOWN, null, null, List.of(), null, null);
  }

  static EventObject of(Event event) {
    return event.fold(new Naming());
  }

  private static EventObject job(@Nullable String state, @Nullable IndexKey index) {
    return new EventObject(JOB, null, state, List.of(), index, null);
  }

  private static EventObject attempt(
      AttemptKey attempt, @Nullable AttemptState state, List<String> slices) {
    return new EventObject(
        ATTEMPT, null, state == null ? null : state.name(), slices, attempt.indexKey(), attempt);
  }

  private static EventObject slices(List<String> slices, @Nullable IndexKey index) {
    return new EventObject(SLICE, null, null, slices, index, null);
  }

  private static EventObject quota(ObjectKey key) {
    return new EventObject(key.kind().kind(), key, null, List.of(), null, null);
  }

  /** Names the object of each kind of event. */
  private static final class Naming implements Event.Fold<EventObject> {
    @Override
    public EventObject objectSet(Event.ObjectSet event) {
      return quota(event.object().key());
    }

    @Override
    public EventObject objectRemoved(Event.ObjectRemoved event) {
      return quota(event.key());
    }

    @Override
    public EventObject fleetSet(Event.FleetSet event) {
      return new EventObject(FLEET, null, null, List.of(), null, null);
    }

    @Override
    public EventObject jobEnqueued(Event.JobEnqueued event) {
      return job(JobState.PENDING.name(), null);
    }

    @Override
    public EventObject cancelRequested(Event.CancelRequested event) {
      return job(null, null);
    }

    @Override
    public EventObject jobHeld(Event.JobHeld event) {
      return job(null, null);
    }

    @Override
    public EventObject jobReleased(Event.JobReleased event) {
      return job(null, null);
    }

    @Override
    public EventObject jobPrioritized(Event.JobPrioritized event) {
      return job(null, null);
    }

    @Override
    public EventObject headStartGiven(Event.HeadStartGiven event) {
      return job(null, null);
    }

    @Override
    public EventObject runChanged(Event.RunChanged event) {
      return new EventObject(RUN, null, event.state(), List.of(), null, null);
    }

    @Override
    public EventObject claimed(Event.Claimed event) {
      return job(null, event.claim().holder());
    }

    @Override
    public EventObject claimEnded(Event.ClaimEnded event) {
      return job(null, event.holder());
    }

    @Override
    public EventObject indexRequeued(Event.IndexRequeued event) {
      return job(null, event.index());
    }

    @Override
    public EventObject indexFinished(Event.IndexFinished event) {
      return job(null, event.index());
    }

    @Override
    public EventObject jobFinished(Event.JobFinished event) {
      return job(event.state().name(), null);
    }

    @Override
    public EventObject admitted(Event.Admitted event) {
      return attempt(event.attempt(), AttemptState.ADMITTED, event.assignment().slices());
    }

    @Override
    public EventObject attemptStarted(Event.AttemptStarted event) {
      return attempt(event.attempt(), AttemptState.RUNNING, List.of());
    }

    @Override
    public EventObject attemptProgressed(Event.AttemptProgressed event) {
      return attempt(event.attempt(), null, List.of());
    }

    @Override
    public EventObject attemptStalled(Event.AttemptStalled event) {
      return attempt(event.attempt(), null, List.of());
    }

    @Override
    public EventObject podsPlaced(Event.PodsPlaced event) {
      return attempt(event.attempt(), null, List.of());
    }

    @Override
    public EventObject attemptResized(Event.AttemptResized event) {
      return attempt(event.attempt(), null, event.assignment().slices());
    }

    @Override
    public EventObject generationSettled(Event.GenerationSettled event) {
      return attempt(event.attempt(), null, List.of());
    }

    @Override
    public EventObject checkpointReported(Event.CheckpointReported event) {
      return attempt(event.attempt(), null, List.of());
    }

    @Override
    public EventObject lossConfirmed(Event.LossConfirmed event) {
      return attempt(event.attempt(), null, List.of());
    }

    @Override
    public EventObject attemptDraining(Event.AttemptDraining event) {
      return attempt(event.attempt(), AttemptState.DRAINING, List.of());
    }

    @Override
    public EventObject attemptEnded(Event.AttemptEnded event) {
      return attempt(event.attempt(), AttemptState.ENDED, List.of());
    }

    @Override
    public EventObject rungOpened(RungEvent.RungOpened event) {
      return job(null, null);
    }

    @Override
    public EventObject rungPaused(RungEvent.RungPaused event) {
      return job(null, null);
    }

    @Override
    public EventObject rungClosed(RungEvent.RungClosed event) {
      return job(null, null);
    }

    @Override
    public EventObject rungLeft(RungEvent.RungLeft event) {
      return job(null, null);
    }

    @Override
    public EventObject startPlanned(PlanEvent.StartPlanned event) {
      return job(null, null);
    }

    @Override
    public EventObject planWithdrawn(PlanEvent.PlanWithdrawn event) {
      return job(null, null);
    }

    @Override
    public EventObject timeLimitChanged(LimitEvent.TimeLimitChanged event) {
      return job(null, null);
    }

    @Override
    public EventObject timeLimitRefused(LimitEvent.TimeLimitRefused event) {
      return job(null, null);
    }

    @Override
    public EventObject slicesGranted(SliceEvent.SlicesGranted event) {
      return slices(event.slices(), null);
    }

    @Override
    public EventObject grantRefused(SliceEvent.GrantRefused event) {
      return slices(event.slices(), null);
    }

    @Override
    public EventObject slicesPassedOn(SliceEvent.SlicesPassedOn event) {
      return slices(event.slices(), null);
    }

    @Override
    public EventObject slicesReleased(SliceEvent.SlicesReleased event) {
      return slices(event.slices(), null);
    }

    @Override
    public EventObject sliceLeaving(SliceEvent.SliceLeaving event) {
      return slices(List.of(event.slice()), null);
    }

    @Override
    public EventObject sliceLost(SliceEvent.SliceLost event) {
      return slices(List.of(event.slice()), null);
    }

    @Override
    public EventObject sliceReturned(SliceEvent.SliceReturned event) {
      return slices(List.of(event.slice()), null);
    }
  }
}
