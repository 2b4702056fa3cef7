// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.queuemodel.job.Assignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.Drain;
import io.sluice.queuemodel.job.Event;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.PodSetAssignment;
import java.util.Locale;
import java.util.TreeSet;

/** An event of a job in one sentence for people. */
final class EventSentence implements Event.Fold<String> {
  static String of(Event event) {
    return event.fold(new EventSentence());
  }

  private static String attempt(AttemptKey key) {
    return "attempt " + key.attempt() + (key.index() == 0 ? "" : " of index " + key.index());
  }

  private static String index(IndexKey key) {
    return key.index() == 0 ? "" : " index " + key.index();
  }

  private static String given(Assignment assignment) {
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
  public String admitted(Event.Admitted event) {
    return attempt(event.attempt())
        + " admitted by "
        + event.assignment().clusterQueue()
        + " on "
        + given(event.assignment());
  }

  @Override
  public String claimed(Event.Claimed event) {
    return "waits for %d evicted attempts to leave %s"
        .formatted(event.claim().victims().size(), given(event.claim().wanted()));
  }

  @Override
  public String claimEnded(Event.ClaimEnded event) {
    return switch (event.end()) {
      case ADMITTED -> "the room it waited for is free";
      case CANCELLED -> "gave up the room it waited for";
      case SUPERSEDED -> "lost the room it waited for to work that may preempt it";
      case USELESS -> "the room it waited for will not come";
      case DEADLINE -> "the room it waited for did not come in time";
    };
  }

  @Override
  public String attemptStarted(Event.AttemptStarted event) {
    return attempt(event.attempt()) + " started";
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
      case TIME_LIMIT -> who + drain.message();
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
}
