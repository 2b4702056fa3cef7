// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.queuemodel.job.Drain;
import io.sluice.queuemodel.job.Event;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.SliceEvent;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * That an index was evicted for another one. It is remembered until something changes from outside.
 */
public record Eviction(IndexKey victim, IndexKey preemptor) implements Comparable<Eviction> {
  private static final Comparator<Eviction> ORDER =
      Comparator.comparing(Eviction::victim).thenComparing(Eviction::preemptor);

  /** The eviction that an event tells of; null if it tells of none. */
  public static @Nullable Eviction of(Event event) {
    if (event instanceof Event.AttemptDraining draining) {
      Drain.Preemption preemption = draining.drain().preemption();
      if (preemption != null) {
        return new Eviction(draining.attempt().indexKey(), preemption.preemptor());
      }
    }
    return null;
  }

  /**
   * Whether an event tells of a change from outside, that no decision about room made: somebody
   * asked for it, work came or ended, or capacity came or went. All that was remembered is
   * forgotten with it.
   */
  public static boolean forgottenWith(Event event) {
    return event instanceof Event.JobEnqueued
        || event instanceof Event.CancelRequested
        || event instanceof Event.JobHeld
        || event instanceof Event.JobReleased
        || event instanceof Event.JobPrioritized
        || event instanceof Event.ObjectSet
        || event instanceof Event.ObjectRemoved
        || event instanceof Event.FleetSet
        || event instanceof Event.IndexFinished
        || event instanceof Event.JobFinished
        || event instanceof SliceEvent.SlicesGranted
        || event instanceof SliceEvent.SliceLeaving
        || event instanceof SliceEvent.SliceLost
        || event instanceof SliceEvent.SliceReturned
        || (event instanceof Event.AttemptDraining && of(event) == null);
  }

  /** By victim, then preemptor. */
  @Override
  public int compareTo(Eviction other) {
    return ORDER.compare(this, other);
  }
}
