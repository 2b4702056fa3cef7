// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.IndexKey;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The eviction of an index for another one. It is remembered until the next change from outside in
 * one of their quota trees.
 */
public record Eviction(IndexKey victim, IndexKey preemptor) implements Comparable<Eviction> {
  private static final Comparator<Eviction> ORDER =
      Comparator.comparing(Eviction::victim).thenComparing(Eviction::preemptor);

  /** Returns the preemption that an event records; null if it records none. */
  public static @Nullable Eviction of(Event event) {
    if (event instanceof Event.AttemptDraining draining) {
      Drain.Preemption preemption = draining.drain().preemption();
      if (preemption != null) {
        return new Eviction(draining.attempt().indexKey(), preemption.preemptor());
      }
    }
    return null;
  }

  /** Compares by victim, then preemptor. */
  @Override
  public int compareTo(Eviction other) {
    return ORDER.compare(this, other);
  }
}
