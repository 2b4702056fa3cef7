// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

/** Calls the action for the kind of an event. The result of this fold has no meaning. */
record EventDispatch(EventHandler handler) implements Event.Fold<Boolean> {
  @Override
  public Boolean objectSet(Event.ObjectSet event) {
    handler.objectSet(event);
    return true;
  }

  @Override
  public Boolean objectRemoved(Event.ObjectRemoved event) {
    handler.objectRemoved(event);
    return true;
  }

  @Override
  public Boolean fleetSet(Event.FleetSet event) {
    handler.fleetSet(event);
    return true;
  }

  @Override
  public Boolean jobEnqueued(Event.JobEnqueued event) {
    handler.jobEnqueued(event);
    return true;
  }

  @Override
  public Boolean cancelRequested(Event.CancelRequested event) {
    handler.cancelRequested(event);
    return true;
  }

  @Override
  public Boolean jobHeld(Event.JobHeld event) {
    handler.jobHeld(event);
    return true;
  }

  @Override
  public Boolean jobReleased(Event.JobReleased event) {
    handler.jobReleased(event);
    return true;
  }

  @Override
  public Boolean jobPrioritized(Event.JobPrioritized event) {
    handler.jobPrioritized(event);
    return true;
  }

  @Override
  public Boolean headStartGiven(Event.HeadStartGiven event) {
    handler.headStartGiven(event);
    return true;
  }

  @Override
  public Boolean lossConfirmed(Event.LossConfirmed event) {
    handler.lossConfirmed(event);
    return true;
  }

  @Override
  public Boolean admitted(Event.Admitted event) {
    handler.admitted(event);
    return true;
  }

  @Override
  public Boolean claimed(Event.Claimed event) {
    handler.claimed(event);
    return true;
  }

  @Override
  public Boolean claimEnded(Event.ClaimEnded event) {
    handler.claimEnded(event);
    return true;
  }

  @Override
  public Boolean attemptStarted(Event.AttemptStarted event) {
    handler.attemptStarted(event);
    return true;
  }

  @Override
  public Boolean attemptProgressed(Event.AttemptProgressed event) {
    handler.attemptProgressed(event);
    return true;
  }

  @Override
  public Boolean attemptStalled(Event.AttemptStalled event) {
    handler.attemptStalled(event);
    return true;
  }

  @Override
  public Boolean podsPlaced(Event.PodsPlaced event) {
    handler.podsPlaced(event);
    return true;
  }

  @Override
  public Boolean attemptResized(Event.AttemptResized event) {
    handler.attemptResized(event);
    return true;
  }

  @Override
  public Boolean generationSettled(Event.GenerationSettled event) {
    handler.generationSettled(event);
    return true;
  }

  @Override
  public Boolean checkpointReported(Event.CheckpointReported event) {
    handler.checkpointReported(event);
    return true;
  }

  @Override
  public Boolean attemptDraining(Event.AttemptDraining event) {
    handler.attemptDraining(event);
    return true;
  }

  @Override
  public Boolean attemptEnded(Event.AttemptEnded event) {
    handler.attemptEnded(event);
    return true;
  }

  @Override
  public Boolean indexRequeued(Event.IndexRequeued event) {
    handler.indexRequeued(event);
    return true;
  }

  @Override
  public Boolean indexFinished(Event.IndexFinished event) {
    handler.indexFinished(event);
    return true;
  }

  @Override
  public Boolean runChanged(Event.RunChanged event) {
    handler.runChanged(event);
    return true;
  }

  @Override
  public Boolean jobFinished(Event.JobFinished event) {
    handler.jobFinished(event);
    return true;
  }

  @Override
  public Boolean rungOpened(RungEvent.RungOpened event) {
    handler.rungOpened(event);
    return true;
  }

  @Override
  public Boolean rungPaused(RungEvent.RungPaused event) {
    handler.rungPaused(event);
    return true;
  }

  @Override
  public Boolean rungClosed(RungEvent.RungClosed event) {
    handler.rungClosed(event);
    return true;
  }

  @Override
  public Boolean rungLeft(RungEvent.RungLeft event) {
    handler.rungLeft(event);
    return true;
  }

  @Override
  public Boolean slicesGranted(SliceEvent.SlicesGranted event) {
    handler.slicesGranted(event);
    return true;
  }

  @Override
  public Boolean grantRefused(SliceEvent.GrantRefused event) {
    handler.grantRefused(event);
    return true;
  }

  @Override
  public Boolean slicesPassedOn(SliceEvent.SlicesPassedOn event) {
    handler.slicesPassedOn(event);
    return true;
  }

  @Override
  public Boolean slicesReleased(SliceEvent.SlicesReleased event) {
    handler.slicesReleased(event);
    return true;
  }

  @Override
  public Boolean sliceLeaving(SliceEvent.SliceLeaving event) {
    handler.sliceLeaving(event);
    return true;
  }

  @Override
  public Boolean sliceLost(SliceEvent.SliceLost event) {
    handler.sliceLost(event);
    return true;
  }

  @Override
  public Boolean sliceReturned(SliceEvent.SliceReturned event) {
    handler.sliceReturned(event);
    return true;
  }

  @Override
  public Boolean startPlanned(PlanEvent.StartPlanned event) {
    handler.startPlanned(event);
    return true;
  }

  @Override
  public Boolean planWithdrawn(PlanEvent.PlanWithdrawn event) {
    handler.planWithdrawn(event);
    return true;
  }

  @Override
  public Boolean timeLimitChanged(LimitEvent.TimeLimitChanged event) {
    handler.timeLimitChanged(event);
    return true;
  }

  @Override
  public Boolean timeLimitRefused(LimitEvent.TimeLimitRefused event) {
    handler.timeLimitRefused(event);
    return true;
  }
}
