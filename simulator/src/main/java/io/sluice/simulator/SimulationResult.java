// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.simulator.fault.FaultKind;
import io.sluice.simulator.fault.Moment;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run: violated promises and counts.
 *
 * @param digest SHA-256 of the journal, in hexadecimal
 * @param violation the first; null: every promise was kept
 */
record SimulationResult(
    long seed, String digest, Counts counts, List<Moment> timeline, @Nullable Violation violation) {
  public SimulationResult {
    timeline = List.copyOf(timeline);
  }

  /** A promise that was not kept; the message names the seed. */
  record Violation(Promise promise, String message) {}

  /**
   * Counts of what happened in a run.
   *
   * @param inputs consumed, by kind
   * @param events recorded, by kind
   * @param faults that struck
   * @param preemptions attempts that were told to end for others
   */
  record Counts(
      long batches,
      SortedMap<String, Long> inputs,
      SortedMap<String, Long> events,
      SortedMap<FaultKind, Long> faults,
      long preemptions) {
    public Counts {
      inputs = Collections.unmodifiableSortedMap(new TreeMap<>(inputs));
      events = Collections.unmodifiableSortedMap(new TreeMap<>(events));
      faults = Collections.unmodifiableSortedMap(new TreeMap<>(faults));
    }
  }

  /**
   * This, if every promise was kept.
   *
   * @throws AssertionError with the seed and the last moments in its message
   */
  public SimulationResult requireKept() {
    Violation broken = violation;
    if (broken != null) {
      List<Moment> last = timeline.subList(Math.max(0, timeline.size() - 40), timeline.size());
      StringBuilder message = new StringBuilder(broken.message());
      last.forEach(moment -> message.append('\n').append(moment));
      throw new AssertionError(message.toString());
    }
    return this;
  }
}
