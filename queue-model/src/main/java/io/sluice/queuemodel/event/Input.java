// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of something that the engine must take into account: a request, an edit, a report. It
 * was validated where it was taken; here it is a fact.
 */
public sealed interface Input {
  <R> R fold(Fold<R> fold);

  /** Calls the action for its kind. */
  default void handle(Handler handler) {
    fold(new InputDispatch(handler));
  }

  /** One function a kind. */
  interface Fold<R> {
    R submitJob(SubmitJob input);

    R cancelJob(CancelJob input);

    R holdJob(HoldJob input);

    R releaseJob(ReleaseJob input);

    R prioritizeJob(PrioritizeJob input);

    R giveHeadStart(GiveHeadStart input);

    R limitJob(LimitJob input);

    R confirmLost(ConfirmLost input);

    R setObject(SetObject input);

    R removeObject(RemoveObject input);

    R setFleet(SetFleet input);

    R report(Report input);

    R recordRun(RecordRun input);

    R grantSlices(GrantSlices input);

    R refuseSlices(RefuseSlices input);

    R reclaimSlice(ReclaimSlice input);

    R returnSlice(ReturnSlice input);
  }

  /** One action a kind. */
  interface Handler {
    void submitJob(SubmitJob input);

    void cancelJob(CancelJob input);

    void holdJob(HoldJob input);

    void releaseJob(ReleaseJob input);

    void prioritizeJob(PrioritizeJob input);

    void giveHeadStart(GiveHeadStart input);

    void limitJob(LimitJob input);

    void confirmLost(ConfirmLost input);

    void setObject(SetObject input);

    void removeObject(RemoveObject input);

    void setFleet(SetFleet input);

    void report(Report input);

    void recordRun(RecordRun input);

    void grantSlices(GrantSlices input);

    void refuseSlices(RefuseSlices input);

    void reclaimSlice(ReclaimSlice input);

    void returnSlice(ReturnSlice input);
  }

  /**
   * A job was acknowledged.
   *
   * @param hold whether its submitter holds it from the start
   */
  record SubmitJob(Workload workload, boolean hold) implements Input {
    /** A job that is not held. */
    public SubmitJob(Workload workload) {
      this(workload, false);
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.submitJob(this);
    }
  }

  /**
   * Somebody wants a job to end.
   *
   * @param caller who
   */
  record CancelJob(JobId job, String caller) implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.cancelJob(this);
    }
  }

  /**
   * A caller puts a job on hold.
   *
   * @param caller who
   * @param leaveRunning whether what of it is live goes on; else it is evicted
   */
  record HoldJob(JobId job, String caller, boolean leaveRunning) implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.holdJob(this);
    }
  }

  /**
   * A caller releases a held job.
   *
   * @param caller who
   */
  record ReleaseJob(JobId job, String caller) implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.releaseJob(this);
    }
  }

  /**
   * A caller gives a job another priority class.
   *
   * @param caller who
   * @param priority what the class meant when it was asked for
   */
  record PrioritizeJob(JobId job, String caller, String className, WorkloadPriority priority)
      implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.prioritizeJob(this);
    }
  }

  /**
   * A pipeline moves a job ahead of others of its priority.
   *
   * @param caller on whose behalf
   * @param headStart how much earlier it is to count as queued; more than zero
   * @param reason for people
   */
  record GiveHeadStart(JobId job, String caller, Duration headStart, String reason)
      implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.giveHeadStart(this);
    }
  }

  /**
   * A caller gives a job another time limit.
   *
   * @param caller who
   * @param timeLimit null: none
   * @param override whether an administrator accepts that planned starts of other jobs move
   */
  record LimitJob(JobId job, String caller, @Nullable Duration timeLimit, boolean override)
      implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.limitJob(this);
    }
  }

  /**
   * An administrator confirms that nothing is left of a draining attempt.
   *
   * @param caller who
   */
  record ConfirmLost(AttemptKey attempt, String caller) implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.confirmLost(this);
    }
  }

  /**
   * A quota object was written.
   *
   * @param generation of the object, rising with every write
   */
  record SetObject(QuotaObject object, long generation) implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.setObject(this);
    }
  }

  /** A quota object was deleted. */
  record RemoveObject(ObjectKey key) implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.removeObject(this);
    }
  }

  /** The fleet was replaced. */
  record SetFleet(Fleet fleet) implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.setFleet(this);
    }
  }

  /** An executor reports. */
  record Report(AttemptReport report) implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.report(this);
    }
  }

  /** A run of a pipeline changed, which the journal is to tell. */
  record RecordRun(Event.RunChanged change) implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.recordRun(this);
    }
  }

  /**
   * A provider granted slices.
   *
   * @param rung for which they were sought
   */
  record GrantSlices(RungKey rung, List<String> slices) implements Input {
    public GrantSlices {
      slices = List.copyOf(slices);
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.grantSlices(this);
    }
  }

  /** A provider refused a request for slices: it is out of stock. */
  record RefuseSlices(RungKey rung) implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.refuseSlices(this);
    }
  }

  /**
   * A provider takes a slice back.
   *
   * @param notice until then; zero: it is gone
   * @param failedHost of the slice, with which it is gone; null: no host has failed
   */
  record ReclaimSlice(String slice, Duration notice, @Nullable String failedHost) implements Input {
    /** No host has failed. */
    public ReclaimSlice(String slice, Duration notice) {
      this(slice, notice, null);
    }

    /** A slice that is gone since a host of it has failed. */
    public static ReclaimSlice ofFailedHost(String slice, String host) {
      return new ReclaimSlice(slice, Duration.ZERO, host);
    }

    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.reclaimSlice(this);
    }
  }

  /** A slice is there again, or its provider keeps it there after all. */
  record ReturnSlice(String slice) implements Input {
    @Override
    public <R> R fold(Fold<R> fold) {
      return fold.returnSlice(this);
    }
  }
}
