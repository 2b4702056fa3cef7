// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

/** An action for each kind of event. An event calls it by {@link Event#handle}. */
public interface EventHandler {
  void objectSet(Event.ObjectSet event);

  void objectRemoved(Event.ObjectRemoved event);

  void fleetSet(Event.FleetSet event);

  void jobEnqueued(Event.JobEnqueued event);

  void cancelRequested(Event.CancelRequested event);

  void jobHeld(Event.JobHeld event);

  void jobReleased(Event.JobReleased event);

  void jobPrioritized(Event.JobPrioritized event);

  void headStartGiven(Event.HeadStartGiven event);

  void lossConfirmed(Event.LossConfirmed event);

  void admitted(Event.Admitted event);

  void claimed(Event.Claimed event);

  void claimEnded(Event.ClaimEnded event);

  void attemptStarted(Event.AttemptStarted event);

  void attemptProgressed(Event.AttemptProgressed event);

  void attemptStalled(Event.AttemptStalled event);

  void podsPlaced(Event.PodsPlaced event);

  void attemptResized(Event.AttemptResized event);

  void generationSettled(Event.GenerationSettled event);

  void checkpointReported(Event.CheckpointReported event);

  void attemptDraining(Event.AttemptDraining event);

  void attemptEnded(Event.AttemptEnded event);

  void indexRequeued(Event.IndexRequeued event);

  void indexFinished(Event.IndexFinished event);

  void jobFinished(Event.JobFinished event);

  void runChanged(Event.RunChanged event);

  void rungOpened(RungEvent.RungOpened event);

  void rungPaused(RungEvent.RungPaused event);

  void rungClosed(RungEvent.RungClosed event);

  void rungLeft(RungEvent.RungLeft event);

  void slicesGranted(SliceEvent.SlicesGranted event);

  void grantRefused(SliceEvent.GrantRefused event);

  void slicesPassedOn(SliceEvent.SlicesPassedOn event);

  void slicesReleased(SliceEvent.SlicesReleased event);

  void sliceLeaving(SliceEvent.SliceLeaving event);

  void sliceLost(SliceEvent.SliceLost event);

  void sliceReturned(SliceEvent.SliceReturned event);

  void startPlanned(PlanEvent.StartPlanned event);

  void planWithdrawn(PlanEvent.PlanWithdrawn event);

  void timeLimitChanged(LimitEvent.TimeLimitChanged event);

  void timeLimitRefused(LimitEvent.TimeLimitRefused event);
}
