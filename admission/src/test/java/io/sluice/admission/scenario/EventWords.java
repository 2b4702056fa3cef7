// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.event.LimitEvent;
import io.sluice.queuemodel.event.PlanChange;
import io.sluice.queuemodel.event.PlanEvent;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.event.RungEvent;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.PodSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What an event says, in the words of scenarios; empty for what follows from another. */
final class EventWords implements Event.Fold<String> {
  private final World world;

  EventWords(World world) {
    this.world = world;
  }

  private String name(IndexKey key) {
    return world.nameOf(key.job()) + (key.index() == 0 ? "" : "[" + key.index() + "]");
  }

  private String name(AttemptKey key) {
    return name(key.indexKey());
  }

  @Override
  public String objectSet(Event.ObjectSet event) {
    return "";
  }

  @Override
  public String objectRemoved(Event.ObjectRemoved event) {
    return "";
  }

  @Override
  public String fleetSet(Event.FleetSet event) {
    return "";
  }

  @Override
  public String jobEnqueued(Event.JobEnqueued event) {
    return "";
  }

  @Override
  public String cancelRequested(Event.CancelRequested event) {
    return "";
  }

  @Override
  public String jobHeld(Event.JobHeld event) {
    return world.nameOf(event.job()) + " held";
  }

  @Override
  public String jobReleased(Event.JobReleased event) {
    return world.nameOf(event.job()) + " released";
  }

  @Override
  public String jobPrioritized(Event.JobPrioritized event) {
    return world.nameOf(event.job()) + " has priority " + event.priority().value();
  }

  @Override
  public String headStartGiven(Event.HeadStartGiven event) {
    return world.nameOf(event.job())
        + " has a head start of "
        + event.headStart().toSeconds()
        + "s";
  }

  /** {@code train has 30s}, {@code train has no limit}. */
  @Override
  public String timeLimitChanged(LimitEvent.TimeLimitChanged event) {
    Duration limit = event.timeLimit();
    String shown = limit == null ? "no limit" : limit.toSeconds() + "s";
    return world.nameOf(event.job()) + " has " + shown;
  }

  /** {@code train stays for big, other}. */
  @Override
  public String timeLimitRefused(LimitEvent.TimeLimitRefused event) {
    if (event.moved().isEmpty()) {
      return world.nameOf(event.job()) + " keeps its limit";
    }
    return world.nameOf(event.job())
        + " keeps its limit for "
        + event.moved().stream().map(world::nameOf).collect(Collectors.joining(" "));
  }

  @Override
  public String runChanged(Event.RunChanged event) {
    return "run " + event.pipeline() + "-" + event.number() + " " + event.state();
  }

  @Override
  public String lossConfirmed(Event.LossConfirmed event) {
    return name(event.attempt()) + " confirmed lost";
  }

  /** {@code train admitted s1 s2}; without slices the hosts of its pods, or else the flavors. */
  @Override
  public String admitted(Event.Admitted event) {
    TreeSet<String> given = new TreeSet<>(event.assignment().slices());
    if (given.isEmpty()) {
      for (PodSetAssignment podSet : event.assignment().podSets()) {
        given.addAll(podSet.topology() == null ? podSet.flavors().values() : hosts(podSet));
      }
    }
    boolean pods = event.assignment().slices().isEmpty();
    return name(event.attempt())
        + " admitted "
        + String.join(" ", given)
        + (pods ? fewer(event) : "");
  }

  /** {@code with 3 pods of 8}, of a pod set that was given fewer than it asked for. */
  private String fewer(Event.Admitted event) {
    JobEntry job = world.state().findJob(event.job());
    StringBuilder fewer = new StringBuilder();
    for (PodSetAssignment given : event.assignment().podSets()) {
      for (PodSet asked : job == null ? List.<PodSet>of() : job.workload().shape().podSets()) {
        if (asked.name().equals(given.name()) && asked.count() > given.count()) {
          fewer.append(" with %d pods of %d".formatted(given.count(), asked.count()));
        }
      }
    }
    return fewer.toString();
  }

  /** As {@code h1*2}, if two pods are on it. */
  private static List<String> hosts(PodSetAssignment podSet) {
    return Objects.requireNonNull(podSet.topology()).domains().stream()
        .map(domain -> domain.lowest() + "*" + domain.count())
        .toList();
  }

  @Override
  public String claimed(Event.Claimed event) {
    String slices = String.join(" ", new TreeSet<>(event.claim().wanted().slices()));
    return (name(event.claim().holder()) + " claims " + slices).strip();
  }

  @Override
  public String claimEnded(Event.ClaimEnded event) {
    return switch (event.end()) {
      case ADMITTED, CANCELLED, HELD -> "";
      case SUPERSEDED, USELESS, DEADLINE, NOT_DRAINED, LOWERED ->
          name(event.holder())
              + " claim "
              + event.end().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    };
  }

  @Override
  public String attemptStarted(Event.AttemptStarted event) {
    return "";
  }

  @Override
  public String attemptProgressed(Event.AttemptProgressed event) {
    return name(event.attempt()) + " comes on";
  }

  @Override
  public String podsPlaced(Event.PodsPlaced event) {
    return name(event.attempt()) + " placed";
  }

  @Override
  public String attemptStalled(Event.AttemptStalled event) {
    return name(event.attempt()) + " stalls";
  }

  /**
   * {@code train repaired s1 s2}, {@code train shrinks s1 for urgent}, {@code train grows s1 s2}.
   */
  @Override
  public String attemptResized(Event.AttemptResized event) {
    String slices = String.join(" ", new TreeSet<>(event.assignment().slices()));
    IndexKey by = event.resize().by();
    String cause =
        switch (event.resize().cause()) {
          case REPAIRED, HOST_REPLACED -> " repaired ";
          case GROWN -> " grows ";
          case RECLAIMED, HOST_LOST, TAKEN_BACK -> " shrinks ";
        };
    return name(event.attempt()) + cause + slices + (by == null ? "" : " for " + name(by));
  }

  @Override
  public String generationSettled(Event.GenerationSettled event) {
    return name(event.attempt()) + " settled";
  }

  @Override
  public String checkpointReported(Event.CheckpointReported event) {
    return name(event.attempt()) + " saved";
  }

  @Override
  public String attemptDraining(Event.AttemptDraining event) {
    if (event.drain().cause() == DrainCause.PREEMPTED) {
      var preemption = Objects.requireNonNull(event.drain().preemption());
      return name(event.attempt()) + " preempted for " + name(preemption.preemptor());
    }
    boolean stalled = event.drain().failure() == FailureCause.STALLED;
    String cause =
        (stalled ? FailureCause.STALLED : event.drain().cause())
            .name()
            .toLowerCase(Locale.ROOT)
            .replace('_', ' ');
    return name(event.attempt()) + " drains: " + cause;
  }

  @Override
  public String attemptEnded(Event.AttemptEnded event) {
    return "";
  }

  @Override
  public String indexRequeued(Event.IndexRequeued event) {
    return name(event.index()) + " requeued";
  }

  @Override
  public String indexFinished(Event.IndexFinished event) {
    return event.index().index() == 0
        ? ""
        : name(event.index()) + (event.succeeded() ? " succeeded" : " failed");
  }

  @Override
  public String jobFinished(Event.JobFinished event) {
    return world.nameOf(event.job()) + " " + event.state().name().toLowerCase(Locale.ROOT);
  }

  private String name(RungKey key) {
    return world.nameOf(key.job());
  }

  /** {@code train waits at 1}; rungs count from 1 here, as people count. */
  @Override
  public String rungOpened(RungEvent.RungOpened event) {
    return name(event.rung()) + " waits at " + (event.rung().rung() + 1);
  }

  @Override
  public String rungPaused(RungEvent.RungPaused event) {
    return name(event.rung()) + " pauses at " + (event.rung().rung() + 1);
  }

  @Override
  public String rungClosed(RungEvent.RungClosed event) {
    String end = event.end().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return name(event.rung()) + " closes " + (event.rung().rung() + 1) + ": " + end;
  }

  @Override
  public String rungLeft(RungEvent.RungLeft event) {
    return "";
  }

  @Override
  public String slicesGranted(SliceEvent.SlicesGranted event) {
    return "";
  }

  @Override
  public String grantRefused(SliceEvent.GrantRefused event) {
    return String.join(" ", event.slices())
        + " refused: "
        + event.fault().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  @Override
  public String slicesPassedOn(SliceEvent.SlicesPassedOn event) {
    return String.join(" ", event.slices()) + " passed on to " + name(event.to());
  }

  @Override
  public String slicesReleased(SliceEvent.SlicesReleased event) {
    return String.join(" ", event.slices()) + " released";
  }

  @Override
  public String sliceLeaving(SliceEvent.SliceLeaving event) {
    return "";
  }

  @Override
  public String sliceLost(SliceEvent.SliceLost event) {
    return "";
  }

  @Override
  public String sliceReturned(SliceEvent.SliceReturned event) {
    return "";
  }

  /** {@code big planned in 3600s}, {@code big planned in 60s: earlier}, {@code big holds}. */
  @Override
  public String startPlanned(PlanEvent.StartPlanned event) {
    PlannedStart planned = event.planned();
    String name = world.nameOf(event.job());
    String what =
        planned.at() == null
            ? name + " holds"
            : name + " planned in " + seconds(planned.at()) + (planned.firm() ? "" : " borrowing");
    String slices = String.join(" ", planned.wanted().slices());
    String why =
        event.change() == PlanChange.BLOCKED
            ? ""
            : ": " + event.change().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return what + (slices.isEmpty() ? "" : " on " + slices) + why;
  }

  private String seconds(Instant at) {
    return Duration.between(world.state().now(), at).toSeconds() + "s";
  }

  @Override
  public String planWithdrawn(PlanEvent.PlanWithdrawn event) {
    return world.nameOf(event.job()) + " is not planned any more";
  }
}
