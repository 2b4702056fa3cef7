// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.IndexKey;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * That an index was evicted for another one. It is remembered until something changes from outside
 * in one of their trees.
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

  /** By victim, then preemptor. */
  @Override
  public int compareTo(Eviction other) {
    return ORDER.compare(this, other);
  }
}
