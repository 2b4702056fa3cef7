// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.HeadStart;
import io.sluice.admission.state.record.Hold;
import io.sluice.admission.state.record.LimitChange;
import io.sluice.admission.state.record.PriorityChange;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.EventHandler;
import io.sluice.queuemodel.event.LimitEvent;
import io.sluice.queuemodel.event.PlanEvent;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.event.RungEvent;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLifecycle;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies events to the state, one method for each kind. */
final class EventApplication implements EventHandler {
  private final AdmissionState state;

  EventApplication(AdmissionState state) {
    this.state = state;
  }

  @Override
  public void objectSet(Event.ObjectSet event) {
    state.putObject(event.object());
  }

  @Override
  public void objectRemoved(Event.ObjectRemoved event) {
    state.removeObject(event.key());
  }

  @Override
  public void fleetSet(Event.FleetSet event) {
    state.setFleet(event.fleet());
    state.plan().forgetCalendar();
  }

  @Override
  public void jobEnqueued(Event.JobEnqueued event) {
    state.addJob(event.workload());
  }

  @Override
  public void cancelRequested(Event.CancelRequested event) {
    JobEntry job = state.job(event.job());
    job.cancel(event.caller());
    state.refresh(job);
    state.touched().add(job);
  }

  @Override
  public void jobHeld(Event.JobHeld event) {
    setHold(event.job(), new Hold(event.caller(), state.now()));
  }

  @Override
  public void jobReleased(Event.JobReleased event) {
    setHold(event.job(), null);
  }

  private void setHold(JobId id, @Nullable Hold hold) {
    JobEntry job = state.job(id);
    job.setHold(hold);
    state.refresh(job);
    state.touched().add(job);
  }

  @Override
  public void jobPrioritized(Event.JobPrioritized event) {
    new QueuePlaces(state)
        .prioritize(
            state.job(event.job()),
            new PriorityChange(event.className(), event.priority(), state.now()));
  }

  @Override
  public void headStartGiven(Event.HeadStartGiven event) {
    new QueuePlaces(state)
        .giveHeadStart(
            state.job(event.job()),
            new HeadStart(event.headStart(), event.caller(), event.reason(), state.now()));
  }

  @Override
  public void timeLimitChanged(LimitEvent.TimeLimitChanged event) {
    JobEntry job = state.job(event.job());
    state
        .plan()
        .limit(
            job,
            () -> {
              state.holdings().limit(job, new LimitChange(event.timeLimit(), state.now()));
              // It may fit before a planned start now: it is tried again.
              state.takeOut(job);
              state.refresh(job);
            });
    new QueuePlaces(state).rank(job);
    state.touched().add(job);
  }

  @Override
  public void timeLimitRefused(LimitEvent.TimeLimitRefused event) {}

  /** Decisions do not depend on runs. */
  @Override
  public void runChanged(Event.RunChanged event) {}

  @Override
  public void lossConfirmed(Event.LossConfirmed event) {
    if (!state.attempt(event.attempt()).draining()) {
      throw new IllegalStateException("attempt is not draining: " + event);
    }
  }

  @Override
  public void admitted(Event.Admitted event) {
    JobEntry job = state.job(event.job());
    if (job.hold() != null) {
      throw new IllegalStateException("job is held: " + event);
    }
    Attempt attempt =
        new Attempt(event, job, state.ledger().count(event.assignment()), state.now());
    if (!attempt.usage().fitsIn(state.ledger().held())) {
      throw new IllegalStateException("not enough quota for " + event);
    }
    state.plan().remove(job);
    job.admit(attempt);
    state.holdings().hold(attempt);
    state.localQueueUsage().admitted(attempt);
    state.tries().touch(job.queue(), attempt.assignment().slices(), attempt.usage());
    new QueuePlaces(state).settle(job);
    state.refresh(job);
    state.touched().add(job);
    state.touched().add(attempt);
  }

  @Override
  public void claimed(Event.Claimed event) {
    JobEntry job = state.job(event.job());
    if (job.planned() != null) {
      state.plan().remove(job);
      state.touched().add(job);
    }
    state.sliceChanges().claimed(event.claim().wanted().slices());
    state.holdings().claim(event.claim());
    state.refresh(job);
  }

  @Override
  public void claimEnded(Event.ClaimEnded event) {
    state.holdings().endClaim(event.holder());
    state.refresh(state.job(event.job()));
  }

  @Override
  public void attemptStarted(Event.AttemptStarted event) {
    Attempt attempt = change(event.attempt(), AttemptState.RUNNING);
    state.holdings().change(attempt, () -> attempt.start(state.now()));
    attempt.job().attemptStarted(attempt);
  }

  @Override
  public void attemptProgressed(Event.AttemptProgressed event) {
    Attempt attempt = running(event.attempt());
    state.holdings().change(attempt, () -> attempt.progress(event.text(), state.now()));
  }

  @Override
  public void attemptStalled(Event.AttemptStalled event) {
    Attempt attempt = running(event.attempt());
    state.holdings().change(attempt, () -> attempt.stall(state.now()));
  }

  @Override
  public void podsPlaced(Event.PodsPlaced event) {
    Attempt attempt = state.attempt(event.attempt());
    if (attempt.draining()) {
      throw new IllegalStateException("attempt is draining: " + event);
    }
    state.holdings().place(attempt, event.podSets());
    state.touched().add(attempt);
  }

  private Attempt running(AttemptKey key) {
    Attempt attempt = state.attempt(key);
    if (attempt.state() != AttemptState.RUNNING) {
      throw new IllegalStateException(key + " is not running but " + attempt.state());
    }
    state.touched().add(attempt);
    return attempt;
  }

  @Override
  public void attemptResized(Event.AttemptResized event) {
    Attempt attempt = state.attempt(event.attempt());
    if (attempt.draining() || event.generation() != attempt.generation() + 1) {
      throw new IllegalStateException(
          "attempt is "
              + attempt.state()
              + " in generation "
              + attempt.generation()
              + ": "
              + event);
    }
    if (event.resize().ofFailedHost()) {
      JobEntry job = attempt.job();
      job.setHostLosses(
          job.hostLosses().with(attempt.startedAt(), attempt.presentSince(), state.now()));
    }
    state.localQueueUsage().resized(attempt, () -> state.holdings().resize(attempt, event));
    state.touched().add(attempt);
    state.touched().add(attempt.job());
  }

  @Override
  public void generationSettled(Event.GenerationSettled event) {
    Attempt attempt = running(event.attempt());
    if (attempt.settled() || event.generation() != attempt.generation()) {
      throw new IllegalStateException(
          "attempt is settled, or in generation " + attempt.generation() + ": " + event);
    }
    state.holdings().settle(attempt);
  }

  @Override
  public void checkpointReported(Event.CheckpointReported event) {
    Attempt attempt = state.attempt(event.attempt());
    attempt.save(event.text(), state.now());
    attempt.job().save(event.attempt().index(), event.text());
    state.touched().add(attempt);
    state.touched().add(attempt.job());
  }

  @Override
  public void attemptDraining(Event.AttemptDraining event) {
    Attempt attempt = change(event.attempt(), AttemptState.DRAINING);
    state.holdings().beginDrain(attempt);
    state.holdings().change(attempt, () -> attempt.drain(event.drain(), state.now()));
  }

  @Override
  public void attemptEnded(Event.AttemptEnded event) {
    Attempt attempt = change(event.attempt(), AttemptState.ENDED);
    state.holdings().release(attempt);
    state.localQueueUsage().ended(attempt);
    attempt.end(event.outcome(), event.cause(), event.message(), state.now());
    AttemptRecord.Result result =
        new AttemptRecord.Result(event.outcome(), event.cause(), event.message());
    attempt.job().attemptEnded(attempt, result);
    state.plan().noteClaimsOn(attempt.key());
    new QueuePlaces(state).settle(attempt.job());
    // A later event of its index requeues or finishes it and updates the job's place.
    state.running().count(attempt.job());
  }

  @Override
  public void indexRequeued(Event.IndexRequeued event) {
    JobEntry job = state.job(event.job());
    Instant notBefore = event.notBefore();
    job.requeue(event.index().index(), notBefore);
    int last = job.attempts(event.index().index());
    state
        .touched()
        .noteRequeue(new AttemptKey(event.job(), event.index().index(), last), notBefore);
    state.refresh(job);
    state.touched().add(job);
  }

  @Override
  public void indexFinished(Event.IndexFinished event) {
    JobEntry job = state.job(event.job());
    job.finish(event.index().index(), event.succeeded());
    new QueuePlaces(state).settle(job);
    state.refresh(job);
    state.touched().add(job);
  }

  @Override
  public void jobFinished(Event.JobFinished event) {
    JobEntry job = state.job(event.job());
    job.end(event.state(), event.message());
    state.endJob(job);
  }

  @Override
  public void rungOpened(RungEvent.RungOpened event) {
    state.ladders().open(event.rung(), event.wanted());
  }

  @Override
  public void rungPaused(RungEvent.RungPaused event) {
    state.ladders().pause(event.rung());
  }

  @Override
  public void rungClosed(RungEvent.RungClosed event) {
    state.ladders().close(event.rung(), event.until());
  }

  @Override
  public void rungLeft(RungEvent.RungLeft event) {
    state.ladders().leave(event.rung());
  }

  @Override
  public void slicesGranted(SliceEvent.SlicesGranted event) {
    state.sliceChanges().keep(event.slices(), event.rung(), event.until());
    slicesChanged(event.slices());
  }

  @Override
  public void grantRefused(SliceEvent.GrantRefused event) {}

  @Override
  public void slicesPassedOn(SliceEvent.SlicesPassedOn event) {
    state.ladders().countIdleGrant(event.from());
    state.sliceChanges().keep(event.slices(), event.to(), event.until());
    slicesChanged(event.slices());
  }

  @Override
  public void slicesReleased(SliceEvent.SlicesReleased event) {
    if (event.rung() != null) {
      state.ladders().countIdleGrant(event.rung());
    }
    state.sliceChanges().makeAbsent(event.slices());
    slicesChanged(event.slices());
  }

  @Override
  public void sliceLeaving(SliceEvent.SliceLeaving event) {
    state.sliceChanges().beginLeaving(event.slice(), event.until());
    slicesChanged(List.of(event.slice()));
  }

  @Override
  public void sliceLost(SliceEvent.SliceLost event) {
    state.sliceChanges().lose(event.slice());
    slicesChanged(List.of(event.slice()));
  }

  @Override
  public void sliceReturned(SliceEvent.SliceReturned event) {
    state.sliceChanges().comeBack(event.slice(), state.fleet(), state.now());
    slicesChanged(List.of(event.slice()));
  }

  /** Has those reconsidered that may use slices which came or went. */
  private void slicesChanged(List<String> slices) {
    state.tries().unparkUsersOf(slices);
    state.plan().noteSlices();
  }

  @Override
  public void startPlanned(PlanEvent.StartPlanned event) {
    JobEntry job = state.job(event.job());
    plan(job, () -> state.plan().put(job, event.planned()), event.planned());
  }

  @Override
  public void planWithdrawn(PlanEvent.PlanWithdrawn event) {
    JobEntry job = state.job(event.job());
    plan(job, () -> state.plan().remove(job), null);
  }

  /**
   * Changes a planned start. Others may now use what was kept for the one that it had, and those
   * that wait for draining room may need other room than what is kept now.
   */
  private void plan(JobEntry job, Runnable change, @Nullable PlannedStart now) {
    PlannedStart before = job.planned();
    change.run();
    state.touched().add(job);
    // A job with a planned start is not bound by it.
    state.refresh(job);
    if (!Objects.equals(before, now)) {
      touch(job, before);
      touch(job, now);
    }
  }

  private void touch(JobEntry job, @Nullable PlannedStart start) {
    if (start != null) {
      Usage usage = state.ledger().count(start.wanted());
      state.tries().touch(job.queue(), start.wanted().slices(), usage);
    }
  }

  private Attempt change(AttemptKey key, AttemptState to) {
    Attempt attempt = state.attempt(key);
    if (attempt.state() == to || !JobLifecycle.permits(attempt.state(), to)) {
      throw new IllegalStateException(key + " cannot become " + to + " from " + attempt.state());
    }
    state.touched().add(attempt);
    state.touched().add(attempt.job());
    return attempt;
  }
}
