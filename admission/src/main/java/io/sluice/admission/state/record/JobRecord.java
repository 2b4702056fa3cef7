// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.job.Workload;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the engine knows of a job, apart from its attempts.
 *
 * @param workload with the priority that it has now
 * @param asked what callers want of it
 * @param message one line for people about its end; empty if there is nothing to say
 * @param progress of the indices that have not ended and were admitted at least once or have one
 *     above them that was
 * @param ladder how far it has come with the rungs of its class, by their numbers
 */
public record JobRecord(
    Workload workload,
    JobState state,
    IndexRanges succeeded,
    IndexRanges failed,
    Asked asked,
    String message,
    SortedMap<Integer, IndexProgress> progress,
    SortedMap<Integer, RungProgress> ladder) {
  public JobRecord {
    ladder = copied(ladder);
    progress = copied(progress);
  }

  /** Most jobs have neither come far nor are on a ladder. */
  private static <V> SortedMap<Integer, V> copied(SortedMap<Integer, V> map) {
    return map.isEmpty()
        ? Collections.emptySortedMap()
        : Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }

  /**
   * What callers want of a job that has not ended.
   *
   * @param cancelledBy who asked for its end; null: nobody
   * @param hold null: it is not held
   * @param priority null: it has the one that it was submitted with
   * @param headStart null: it stands by its age
   * @param hostLosses the hosts that it lost in a row; none if it is not given
   */
  public record Asked(
      @Nullable String cancelledBy,
      @Nullable Hold hold,
      @Nullable PriorityChange priority,
      @Nullable HeadStart headStart,
      @Nullable HostLosses hostLosses) {
    public Asked {
      hostLosses = hostLosses == null ? HostLosses.NONE : hostLosses;
    }

    /** Of a job with the priority that it was submitted with, and no head start. */
    public Asked(@Nullable String cancelledBy, @Nullable Hold hold) {
      this(cancelledBy, hold, null, null, null);
    }
  }

  /** Its workload with the head start that it has. */
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

  /** The hosts that it lost in a row. */
  public HostLosses hostLosses() {
    HostLosses losses = asked.hostLosses();
    return losses == null ? HostLosses.NONE : losses;
  }
}
