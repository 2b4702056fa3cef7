// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.Workload;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of a job without its attempts.
 *
 * @param workload workload with its current priority and time limit
 * @param asked requests of callers
 * @param message one line about its end; may be empty
 * @param progress progress of indices that have not ended and were admitted, or are below an
 *     admitted one
 * @param ladder progress on the rungs of its class, by number
 * @param planned its planned start; null if it has none
 */
public record JobRecord(
    Workload workload,
    JobState state,
    IndexRanges succeeded,
    IndexRanges failed,
    Asked asked,
    String message,
    SortedMap<Integer, IndexProgress> progress,
    SortedMap<Integer, RungProgress> ladder,
    @Nullable PlannedStart planned) {
  public JobRecord {
    ladder = copied(ladder);
    progress = copied(progress);
  }

  /** Creates the record of a job without a planned start. */
  public JobRecord(
      Workload workload,
      JobState state,
      IndexRanges succeeded,
      IndexRanges failed,
      Asked asked,
      String message,
      SortedMap<Integer, IndexProgress> progress,
      SortedMap<Integer, RungProgress> ladder) {
    this(workload, state, succeeded, failed, asked, message, progress, ladder, null);
  }

  /** Avoids a map for most jobs, which have neither progress nor a ladder. */
  private static <V> SortedMap<Integer, V> copied(SortedMap<Integer, V> map) {
    return map.isEmpty()
        ? Collections.emptySortedMap()
        : Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }

  /**
   * Requests of callers about a job that has not ended, and its losses of hosts.
   *
   * @param cancelledBy caller who cancelled it; null if none did
   * @param hold null if it is not held
   * @param priority null if it has its submitted priority class
   * @param headStart null if it has none
   * @param hostLosses consecutive losses of hosts; null means none
   * @param limit null if it has its submitted time limit
   */
  public record Asked(
      @Nullable String cancelledBy,
      @Nullable Hold hold,
      @Nullable PriorityChange priority,
      @Nullable HeadStart headStart,
      @Nullable HostLosses hostLosses,
      @Nullable LimitChange limit) {
    public Asked {
      hostLosses = hostLosses == null ? HostLosses.NONE : hostLosses;
    }

    /** Creates the requests of a job with its submitted priority and no head start. */
    public Asked(@Nullable String cancelledBy, @Nullable Hold hold) {
      this(cancelledBy, hold, null, null, null, null);
    }
  }

  /** Returns the record of the same job with other limits. */
  public JobRecord withLimits(JobLimits other) {
    return new JobRecord(
        workload.withLimits(other),
        state,
        succeeded,
        failed,
        asked,
        message,
        progress,
        ladder,
        planned);
  }

  /** Returns its workload with its head start applied. */
  public Workload placed() {
    HeadStart headStart = asked.headStart();
    return headStart == null ? workload : workload.withHeadStart(headStart.time());
  }

  public @Nullable String cancelledBy() {
    return asked.cancelledBy();
  }

  public @Nullable Hold hold() {
    return asked.hold();
  }

  /** Returns its consecutive losses of hosts. */
  public HostLosses hostLosses() {
    HostLosses losses = asked.hostLosses();
    return losses == null ? HostLosses.NONE : losses;
  }
}
