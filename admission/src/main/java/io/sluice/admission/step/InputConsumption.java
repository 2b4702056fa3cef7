// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.decision.IndexAdmission;
import io.sluice.admission.decision.RungChanges;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.record.HeadStart;
import io.sluice.admission.state.record.PriorityChange;
import io.sluice.admission.state.record.RungProgress;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.AttemptOutcome;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.RungEvent;
import io.sluice.queuemodel.event.RungEvent.RungEnd;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Turns inputs into events. An input that changes nothing, such as the cancellation of an ended job
 * or a report of an outdated attempt, makes no event.
 */
public final class InputConsumption implements Input.Handler {
  private final Decisions decisions;
  private final AdmissionState state;
  private final IndexEnding ending;
  private final LostSlices losses;

  public InputConsumption(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
    this.ending = new IndexEnding(decisions);
    this.losses = new LostSlices(decisions);
  }

  public void consume(List<Input> inputs) {
    inputs.forEach(input -> input.handle(this));
    losses.settle();
  }

  @Override
  public void submitJob(Input.SubmitJob input) {
    Workload workload = input.workload();
    if (state.findJob(workload.id()) == null) {
      decisions.record(new Event.JobEnqueued(workload));
      if (input.hold()) {
        decisions.record(new Event.JobHeld(workload.id(), workload.submitter()));
      }
    }
  }

  @Override
  public void cancelJob(Input.CancelJob input) {
    JobEntry job = state.findJob(input.job());
    if (job == null || job.cancelledBy() != null) {
      return;
    }
    decisions.record(new Event.CancelRequested(input.job(), input.caller()));
    stopWaiting(job, Claim.End.CANCELLED);
    drainAll(job, DrainCause.CANCELLED);
    ending.finishIfDone(job, "");
  }

  /** A repeated hold may still evict attempts that the first hold left running. */
  @Override
  public void holdJob(Input.HoldJob input) {
    JobEntry job = state.findJob(input.job());
    if (job == null || job.cancelledBy() != null) {
      return;
    }
    if (job.hold() == null) {
      decisions.record(new Event.JobHeld(input.job(), input.caller()));
      stopWaiting(job, Claim.End.HELD);
    }
    if (!input.leaveRunning()) {
      drainAll(job, DrainCause.HELD);
    }
  }

  @Override
  public void releaseJob(Input.ReleaseJob input) {
    JobEntry job = state.findJob(input.job());
    if (job != null && job.hold() != null) {
      decisions.record(new Event.JobReleased(input.job(), input.caller()));
    }
  }

  /** A job with a lower priority loses its claims, because they relied on the higher one. */
  @Override
  public void prioritizeJob(Input.PrioritizeJob input) {
    JobEntry job = state.findJob(input.job());
    if (job == null || job.cancelledBy() != null) {
      return;
    }
    WorkloadPriority before = job.workload().priority();
    PriorityChange last = job.priorityChange();
    boolean same = last != null && last.className().equals(input.className());
    if (same && before.equals(input.priority())) {
      return;
    }
    if (input.priority().value() < before.value()) {
      endClaims(job, Claim.End.LOWERED);
    }
    decisions.record(
        new Event.JobPrioritized(input.job(), input.caller(), input.className(), input.priority()));
  }

  /**
   * A head start never shrinks: otherwise jobs that are late by turns would swap places forever.
   */
  @Override
  public void giveHeadStart(Input.GiveHeadStart input) {
    JobEntry job = state.findJob(input.job());
    if (job == null || job.cancelledBy() != null) {
      return;
    }
    HeadStart before = job.headStart();
    if (before == null || before.time().compareTo(input.headStart()) < 0) {
      decisions.record(
          new Event.HeadStartGiven(input.job(), input.caller(), input.headStart(), input.reason()));
    }
  }

  /** {@link LimitChanges} decides it at the time of the round. */
  @Override
  public void limitJob(Input.LimitJob input) {}

  /** Applies only to draining attempts: no other attempt waits for a confirmation. */
  @Override
  public void confirmLost(Input.ConfirmLost input) {
    Attempt attempt = state.findAttempt(input.attempt());
    if (attempt != null && attempt.draining()) {
      decisions.record(new Event.LossConfirmed(input.attempt(), input.caller()));
      drained(attempt);
    }
  }

  private void endClaims(JobEntry job, Claim.End end) {
    for (int index : List.copyOf(job.claiming())) {
      decisions.record(new Event.ClaimEnded(job.index(index), end));
    }
  }

  /** A job that cannot be admitted seeks no capacity and claims no room. */
  private void stopWaiting(JobEntry job, Claim.End end) {
    new IndexAdmission(decisions).leaveAll(job);
    endClaims(job, end);
  }

  private void drainAll(JobEntry job, DrainCause cause) {
    for (Attempt attempt : List.copyOf(job.live())) {
      drain(attempt, Drain.of(cause));
    }
  }

  @Override
  public void setObject(Input.SetObject input) {
    boolean sameLadder = isSameLadder(input.object());
    decisions.record(new Event.ObjectSet(input.object(), input.generation()));
    if (!sameLadder) {
      leaveLadders(input.object().meta().name());
    }
    endClaimsOfStoppedQueues();
    drainStoppedBy(input.object());
  }

  @Override
  public void removeObject(Input.RemoveObject input) {
    decisions.record(new Event.ObjectRemoved(input.key()));
    if (input.key().kind() == ObjectKind.COMPUTE_CLASS) {
      leaveLadders(input.key().name());
    }
  }

  private boolean isSameLadder(QuotaObject object) {
    if (!(object instanceof ComputeClass changed)) {
      return true;
    }
    ComputeClass known = state.objects().computeClass(changed.meta().name());
    return known == null || known.sameLadder(changed);
  }

  /** Jobs on the ladder of a changed class restart from its first rung. */
  private void leaveLadders(String computeClass) {
    for (JobEntry job : state.jobs()) {
      if (computeClass.equals(job.workload().shape().computeClass())) {
        for (int rung : List.copyOf(job.ladder().keySet())) {
          decisions.record(new RungEvent.RungLeft(new RungKey(job.id(), rung)));
        }
      }
    }
  }

  @Override
  public void setFleet(Input.SetFleet input) {
    NavigableSet<String> missing = new TreeSet<>(input.fleet().missingHosts());
    missing.removeAll(state.fleet().missingHosts());
    decisions.record(new Event.FleetSet(input.fleet()));
    for (Slice slice : missing.isEmpty() ? List.<Slice>of() : input.fleet().slices()) {
      slice.hosts().stream()
          .filter(missing::contains)
          .findFirst()
          .ifPresent(host -> lose(slice.name(), Duration.ZERO, host));
    }
  }

  @Override
  public void grantSlices(Input.GrantSlices input) {
    new Grants(decisions).take(input);
  }

  private boolean isAbsent(String slice) {
    return state.slices().standings().condition(slice) == SliceCondition.ABSENT;
  }

  @Override
  public void refuseSlices(Input.RefuseSlices input) {
    RungProgress progress = state.ladders().find(input.rung());
    if (progress != null && progress.waiting()) {
      RungChanges.close(decisions, input.rung(), RungEnd.OUT_OF_STOCK);
    }
  }

  @Override
  public void reclaimSlice(Input.ReclaimSlice input) {
    String slice = input.slice();
    if (!state.slices().isOfFleet(slice) || isAbsent(slice)) {
      return;
    }
    SliceStanding standing = state.slices().standings().find(slice);
    boolean leaving = standing != null && standing.condition() == SliceCondition.LEAVING;
    boolean gone = leaving && standing != null && standing.until() == null;
    if (input.notice().isZero()) {
      if (!gone) {
        decisions.record(new SliceEvent.SliceLost(slice));
      }
    } else if (!leaving) {
      decisions.record(new SliceEvent.SliceLeaving(slice, decisions.now().plus(input.notice())));
    }
    lose(slice, input.notice(), input.failedHost());
  }

  /** Attempts that use hosts of this slice of the fleet lose the slices formed from it. */
  private void lose(String slice, Duration notice, @Nullable String failedHost) {
    for (String held : state.slices().heldOn(slice)) {
      AttemptKey holder = state.slices().holder(held);
      if (holder != null) {
        losses.add(holder, held, slice, notice, failedHost);
      }
    }
  }

  @Override
  public void returnSlice(Input.ReturnSlice input) {
    boolean known = state.slices().isWhole(input.slice());
    if (known && state.slices().standings().condition(input.slice()) != SliceCondition.READY) {
      decisions.record(new SliceEvent.SliceReturned(input.slice()));
    }
  }

  @Override
  public void recordRun(Input.RecordRun input) {
    decisions.record(input.change());
  }

  @Override
  public void report(Input.Report input) {
    AttemptReport report = input.report();
    Attempt attempt = state.findAttempt(report.attempt());
    if (attempt != null && counts(report, attempt)) {
      switch (report.kind()) {
        case STARTED -> started(attempt);
        case PROGRESS -> progressed(attempt, report.message());
        case FINISHED -> ending.end(attempt, AttemptOutcome.SUCCEEDED, null, "");
        case FAILED -> failed(attempt, report);
        case DRAINED -> drained(attempt);
        case CHECKPOINT -> saved(attempt, report);
      }
    }
  }

  /** STARTED for a generation implies that no process of an older generation runs. */
  private void started(Attempt attempt) {
    if (attempt.state() == AttemptState.ADMITTED) {
      decisions.record(new Event.AttemptStarted(attempt.key()));
    }
    if (attempt.state() == AttemptState.RUNNING && !attempt.settled()) {
      decisions.record(new Event.GenerationSettled(attempt.key(), attempt.generation()));
    }
  }

  /**
   * Returns whether a report counts: it is of the current generation or, until that has started, a
   * checkpoint of an older one, from which the current generation continues.
   */
  private static boolean counts(AttemptReport report, Attempt attempt) {
    boolean saves = report.kind() == AttemptReport.Kind.CHECKPOINT && !attempt.settled();
    return report.generation() == attempt.generation()
        || (saves && report.generation() < attempt.generation());
  }

  private void saved(Attempt attempt, AttemptReport report) {
    decisions.record(
        new Event.CheckpointReported(attempt.key(), report.generation(), report.message()));
  }

  private void progressed(Attempt attempt, String text) {
    if (attempt.state() == AttemptState.RUNNING) {
      decisions.record(new Event.AttemptProgressed(attempt.key(), text));
    }
  }

  /** A draining attempt fails because of its drain, so the first cause stays. */
  private void failed(Attempt attempt, AttemptReport report) {
    FailureCause cause = report.cause() == null ? FailureCause.EXIT_CODE : report.cause();
    drain(attempt, Drain.failed(cause, report.message()));
  }

  private void drain(Attempt attempt, Drain why) {
    if (!attempt.draining()) {
      decisions.record(new Event.AttemptDraining(attempt.key(), why));
    }
  }

  private void drained(Attempt attempt) {
    if (!attempt.draining()) {
      ending.end(attempt, AttemptOutcome.LOST, FailureCause.HOST_LOST, "it was found gone");
      return;
    }
    Drain drain = attempt.drain();
    switch (drain.cause()) {
      case PREEMPTED -> ending.end(attempt, AttemptOutcome.PREEMPTED, null, "");
      case CANCELLED -> ending.end(attempt, AttemptOutcome.CANCELLED, null, "");
      case HELD, QUEUE_STOPPED, MIGRATED -> ending.end(attempt, AttemptOutcome.EVICTED, null, "");
      case LEASE_END, NOT_RESIZED, DATED ->
          ending.end(attempt, AttemptOutcome.EVICTED, null, drain.message());
      case START_DEADLINE ->
          ending.end(attempt, AttemptOutcome.EVICTED, FailureCause.START_DEADLINE, drain.message());
      case HOST_LOST ->
          ending.end(attempt, AttemptOutcome.LOST, FailureCause.HOST_LOST, drain.message());
      case TIME_LIMIT ->
          ending.end(attempt, AttemptOutcome.TIMED_OUT, FailureCause.TIME_LIMIT, drain.message());
      case FAILED -> ending.end(attempt, AttemptOutcome.FAILED, drain.failure(), drain.message());
      case SLICE_RECLAIMED ->
          ending.end(attempt, AttemptOutcome.LOST, FailureCause.SLICE_RECLAIMED, drain.message());
    }
  }

  private void endClaimsOfStoppedQueues() {
    for (ClaimState claim : List.copyOf(state.claims())) {
      if (!state.admits(claim.job().workload().queue())) {
        decisions.record(new Event.ClaimEnded(claim.claim().holder(), Claim.End.USELESS));
      }
    }
  }

  /**
   * Evicts the attempts of a queue that drains. Only this queue is looked at: there may be many.
   */
  private void drainStoppedBy(QuotaObject changed) {
    if (changed instanceof ClusterQueue queue
        && queue.policies().stopPolicy() == StopPolicy.HOLD_AND_DRAIN) {
      QueueState its = state.queue(queue.meta().name());
      drain(its == null ? List.of() : List.copyOf(its.live()));
    } else if (changed instanceof LocalQueue queue
        && queue.stopPolicy() == StopPolicy.HOLD_AND_DRAIN) {
      List<Attempt> its = new ArrayList<>();
      for (QueueState behind : state.queues()) {
        for (Attempt attempt : behind.live()) {
          if (attempt.job().workload().queue().equals(queue.queueKey())) {
            its.add(attempt);
          }
        }
      }
      drain(its);
    }
  }

  private void drain(List<Attempt> attempts) {
    attempts.forEach(attempt -> drain(attempt, Drain.of(DrainCause.QUEUE_STOPPED)));
  }
}
