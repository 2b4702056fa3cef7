// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.admission.state.record.Hold;
import io.sluice.admission.state.record.HostLosses;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.LimitEvent;
import io.sluice.queuemodel.event.PlanChange;
import io.sluice.queuemodel.event.PlanEvent;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.event.Resize;
import io.sluice.queuemodel.event.RungEvent;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Describes an event of a job in one sentence for people. */
public final class EventSentence implements Event.Fold<String> {
  public static String of(Event event) {
    return event.fold(new EventSentence());
  }

  private static String attempt(AttemptKey key) {
    return "attempt " + key.attempt() + (key.index() == 0 ? "" : " of index " + key.index());
  }

  private static String index(IndexKey key) {
    return key.index() == 0 ? "" : " index " + key.index();
  }

  /** The slices, or the flavors if there are no slices. */
  static String given(Assignment assignment) {
    if (!assignment.slices().isEmpty()) {
      return String.join(", ", assignment.slices());
    }
    TreeSet<String> flavors = new TreeSet<>();
    for (PodSetAssignment podSet : assignment.podSets()) {
      flavors.addAll(podSet.flavors().values());
    }
    return flavors.isEmpty() ? "nothing" : "flavor " + String.join(", ", flavors);
  }

  @Override
  public String objectSet(Event.ObjectSet event) {
    return event.object().key() + " was written";
  }

  @Override
  public String objectRemoved(Event.ObjectRemoved event) {
    return event.key() + " was deleted";
  }

  @Override
  public String fleetSet(Event.FleetSet event) {
    return "the fleet has " + event.fleet().slices().size() + " slices";
  }

  @Override
  public String jobEnqueued(Event.JobEnqueued event) {
    return "queued";
  }

  @Override
  public String cancelRequested(Event.CancelRequested event) {
    return event.caller() + " asked for its end";
  }

  @Override
  public String jobHeld(Event.JobHeld event) {
    return event.caller().equals(Hold.QUARANTINE)
        ? "quarantined: it lost %d hosts in a row".formatted(HostLosses.MAX)
        : "held" + by(event.caller());
  }

  @Override
  public String jobReleased(Event.JobReleased event) {
    return "released" + by(event.caller());
  }

  @Override
  public String jobPrioritized(Event.JobPrioritized event) {
    return "priority class "
        + event.className()
        + by(event.caller())
        + ", priority "
        + event.priority().value()
        + (event.priority().preemptible() ? ", preemptible" : "");
  }

  @Override
  public String headStartGiven(Event.HeadStartGiven event) {
    return "counts as queued "
        + event.headStart()
        + " earlier among jobs of its priority"
        + by(event.caller())
        + ": "
        + event.reason();
  }

  @Override
  public String runChanged(Event.RunChanged event) {
    StringBuilder text =
        new StringBuilder(
            "run %s-%d %s".formatted(event.pipeline(), event.number(), event.state()));
    if (!event.reason().isEmpty()) {
      text.append(": ").append(event.reason());
    }
    for (Event.RunChanged.Step step : event.steps()) {
      text.append("; step ").append(step.name()).append(' ').append(step.state());
    }
    return text.toString();
  }

  /** Names the caller; jobs from before callers were recorded have none. */
  private static String by(String caller) {
    return caller.isEmpty() ? "" : " by " + caller;
  }

  @Override
  public String admitted(Event.Admitted event) {
    return attempt(event.attempt())
        + " admitted by "
        + event.assignment().clusterQueue()
        + " on "
        + given(event.assignment())
        + pods(event.assignment());
  }

  /** The number of pods, which may be less than requested; with slices it is implied. */
  private static String pods(Assignment assignment) {
    int pods = assignment.podSets().stream().mapToInt(PodSetAssignment::count).sum();
    return assignment.slices().isEmpty() && pods > 1 ? ", " + pods + " pods" : "";
  }

  @Override
  public String claimed(Event.Claimed event) {
    Claim claim = event.claim();
    int victims = claim.victims().size();
    boolean moves =
        claim.victims().stream().anyMatch(victim -> victim.indexKey().equals(claim.holder()));
    if (moves) {
      return "is to go on, when it has drained, on " + given(claim.wanted());
    }
    // A victim that is evicted is displaced; one that only gives up fillers is not.
    boolean evicts =
        claim.victims().stream().allMatch(victim -> claim.displaced().contains(victim.job()));
    return "waits for %d %s%s to %sleave %s"
        .formatted(
            victims,
            evicts ? "evicted " : "",
            victims == 1 ? "attempt" : "attempts",
            evicts ? "" : "shrink and ",
            given(claim.wanted()));
  }

  @Override
  public String claimEnded(Event.ClaimEnded event) {
    return switch (event.end()) {
      case ADMITTED -> "claimed room is free";
      case CANCELLED, HELD -> "claim released";
      case LOWERED -> "claim released: the priority of the job is lower now";
      case SUPERSEDED -> "claim superseded by work that may preempt it";
      case USELESS -> "claim released: it can no longer be fulfilled";
      case DEADLINE -> "claim released: the room did not become free in time";
      case NOT_DRAINED ->
          "claim released: an evicted attempt was not confirmed ended in time;"
              + " it keeps its room until it is";
    };
  }

  @Override
  public String attemptStarted(Event.AttemptStarted event) {
    return attempt(event.attempt()) + " started";
  }

  @Override
  public String attemptProgressed(Event.AttemptProgressed event) {
    return attempt(event.attempt())
        + " made progress"
        + (event.text().isEmpty() ? "" : ": " + event.text());
  }

  @Override
  public String podsPlaced(Event.PodsPlaced event) {
    return "its pods were given places";
  }

  @Override
  public String attemptStalled(Event.AttemptStalled event) {
    return attempt(event.attempt()) + " is stalled: no progress for its progress deadline";
  }

  @Override
  public String attemptResized(Event.AttemptResized event) {
    Resize resize = event.resize();
    String what =
        switch (resize.cause()) {
          case REPAIRED, HOST_REPLACED -> " is repaired";
          case GROWN -> " grows";
          case RECLAIMED, HOST_LOST, TAKEN_BACK -> " shrinks";
        };
    String forWhom =
        resize.by() == null ? "" : ", its fillers are taken back for job " + resize.by().job();
    return attempt(event.attempt())
        + what
        + " to "
        + slices(event.assignment().slices())
        + forWhom
        + (resize.message().isEmpty() ? "" : ": " + resize.message());
  }

  @Override
  public String generationSettled(Event.GenerationSettled event) {
    return attempt(event.attempt()) + " goes on, as generation " + event.generation();
  }

  @Override
  public String lossConfirmed(Event.LossConfirmed event) {
    return attempt(event.attempt()) + " was confirmed lost" + by(event.caller());
  }

  @Override
  public String checkpointReported(Event.CheckpointReported event) {
    return attempt(event.attempt()) + " saved a checkpoint: " + event.text();
  }

  /** The reason of a migration; variants have no message. */
  static String migrated(Drain drain) {
    return drain.message().isEmpty()
        ? "another variant of its workload takes a better flavor"
        : drain.message();
  }

  @Override
  public String attemptDraining(Event.AttemptDraining event) {
    Drain drain = event.drain();
    String who = attempt(event.attempt()) + " is ended: ";
    return switch (drain.cause()) {
      case PREEMPTED ->
          who
              + (drain.preemption() == null
                  ? "preempted"
                  : "preempted for job %s, %s"
                      .formatted(
                          drain.preemption().preemptor().job(),
                          drain.preemption().reason().word()));
      case CANCELLED -> who + "cancelled";
      case FAILED -> who + drain.message();
      case TIME_LIMIT, START_DEADLINE, LEASE_END, SLICE_RECLAIMED, HOST_LOST, NOT_RESIZED, DATED ->
          who + drain.message();
      case MIGRATED -> who + migrated(drain);
      case HELD -> who + "its job is held";
      case QUEUE_STOPPED -> who + "its queue is being drained";
    };
  }

  @Override
  public String attemptEnded(Event.AttemptEnded event) {
    return attempt(event.attempt())
        + " ended: "
        + event.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ')
        + (event.message().isEmpty() ? "" : ", " + event.message());
  }

  @Override
  public String indexRequeued(Event.IndexRequeued event) {
    return "back in its queue" + index(event.index()) + ", not before " + event.notBefore();
  }

  @Override
  public String indexFinished(Event.IndexFinished event) {
    return (event.index().index() == 0 ? "" : "index " + event.index().index() + " ")
        + (event.succeeded() ? "succeeded" : "failed for good");
  }

  @Override
  public String jobFinished(Event.JobFinished event) {
    return event.state().name().toLowerCase(Locale.ROOT)
        + (event.message().isEmpty() ? "" : ": " + event.message());
  }

  private static String rung(RungKey key) {
    return "rung " + (key.rung() + 1);
  }

  private static String slices(List<String> slices) {
    return (slices.size() == 1 ? "slice " : "slices ") + String.join(", ", slices);
  }

  @Override
  public String rungOpened(RungEvent.RungOpened event) {
    return rung(event.rung()) + ": has quota and waits for " + given(event.wanted());
  }

  @Override
  public String rungPaused(RungEvent.RungPaused event) {
    return rung(event.rung()) + ": could not use it if it came, its clock stands";
  }

  @Override
  public String rungClosed(RungEvent.RungClosed event) {
    String why =
        switch (event.end()) {
          case DEADLINE -> "its capacity did not come in time";
          case OUT_OF_STOCK -> "its provider has none";
          case GRANTS_WITHOUT_QUOTA -> "capacity was granted twice without quota";
        };
    return rung(event.rung()) + ": " + why + "; not tried again before " + event.until();
  }

  @Override
  public String rungLeft(RungEvent.RungLeft event) {
    return rung(event.rung()) + ": waits there no more";
  }

  @Override
  public String startPlanned(PlanEvent.StartPlanned event) {
    PlannedStart planned = event.planned();
    boolean first = event.change() == PlanChange.BLOCKED;
    String what =
        planned.at() == null
            ? "is given what becomes free of " + given(planned.wanted())
            : (first ? "planned to start at " : "planned start moved to ")
                + planned.at()
                + " on "
                + given(planned.wanted());
    return what
        + (planned.firm() ? "" : " (unless reclaimed)")
        + (first ? "" : ": " + cause(event.change()));
  }

  @Override
  public String planWithdrawn(PlanEvent.PlanWithdrawn event) {
    return "planned start withdrawn: " + cause(event.change());
  }

  @Override
  public String timeLimitChanged(LimitEvent.TimeLimitChanged event) {
    Duration limit = event.timeLimit();
    return (limit == null ? "no time limit" : "time limit " + DurationNotation.format(limit))
        + by(event.caller());
  }

  @Override
  public String timeLimitRefused(LimitEvent.TimeLimitRefused event) {
    Duration limit = event.timeLimit();
    int others = event.movedCount() - event.moved().size();
    return "keeps its time limit: "
        + (limit == null ? "none" : DurationNotation.format(limit))
        + by(event.caller())
        + (event.moved().isEmpty()
            ? " would cross a booking or an outage"
            : " would move the planned starts of ")
        + event.moved().stream().map(JobId::toString).collect(Collectors.joining(", "))
        + (others > 0 ? " and %d others".formatted(others) : "");
  }

  /** Why a planned start was written, moved or withdrawn. */
  private static String cause(PlanChange change) {
    return switch (change) {
      case BLOCKED -> "blocked, and among the first of its queue";
      case EARLIER -> "room became free earlier";
      case OUTRANKED -> "a job that precedes it, or uses its own quota, took the room";
      case QUOTA_CHANGED -> "quota, policies or settings changed";
      case FLEET_CHANGED -> "hosts or slices came or went";
      case ATTEMPT_OVERDUE -> "attempt overdue";
      case LIMIT_CHANGED -> "limits of an attempt in the way changed";
      case HELD_UP -> "something other than quota and slices kept the job from its planned start";
      case NOT_BLOCKED -> "no longer waits for a planned start";
    };
  }

  @Override
  public String slicesGranted(SliceEvent.SlicesGranted event) {
    return slices(event.slices())
        + " came for "
        + rung(event.rung())
        + ", kept until "
        + event.until();
  }

  @Override
  public String grantRefused(SliceEvent.GrantRefused event) {
    String why =
        switch (event.fault()) {
          case NOT_OF_FLEET -> "the fleet has none of that name";
          case ALREADY_THERE -> "was there before";
          case NOT_SOUGHT -> "is not what is sought there";
        };
    return slices(event.slices()) + " given for " + rung(event.rung()) + " and refused: " + why;
  }

  @Override
  public String slicesPassedOn(SliceEvent.SlicesPassedOn event) {
    return slices(event.slices()) + " passed on from job " + event.from().job();
  }

  @Override
  public String slicesReleased(SliceEvent.SlicesReleased event) {
    return slices(event.slices()) + " went back";
  }

  @Override
  public String sliceLeaving(SliceEvent.SliceLeaving event) {
    return "slice " + event.slice() + " will be taken back at " + event.until();
  }

  @Override
  public String sliceLost(SliceEvent.SliceLost event) {
    return "slice " + event.slice() + " is gone";
  }

  @Override
  public String sliceReturned(SliceEvent.SliceReturned event) {
    return "slice " + event.slice() + " returned to service";
  }
}
