// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.IndexKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks P8: without a change from outside, no index evicts the same index twice. */
final class PreemptionCheck {
  private final Set<String> evictions = new HashSet<>();
  private long count;

  /** How many attempts were evicted so far. */
  long count() {
    return count;
  }

  /**
   * Looks at a batch.
   *
   * @throws BrokenPromiseException if an eviction was repeated without cause
   */
  void check(List<Input> inputs, List<Event> events) {
    if (inputs.stream().anyMatch(PreemptionCheck::comesFromOutside)) {
      evictions.clear();
    }
    for (Event event : events) {
      if (event instanceof Event.IndexFinished || event instanceof Event.JobFinished) {
        evictions.clear();
      } else if (event instanceof Event.AttemptDraining draining) {
        drains(draining);
      }
    }
  }

  /** Reports of starts and ends that the engine itself asked for are no change from outside. */
  private static boolean comesFromOutside(Input input) {
    return !(input instanceof Input.Report report)
        || report.report().kind() == AttemptReport.Kind.FAILED
        || report.report().kind() == AttemptReport.Kind.FINISHED;
  }

  private void drains(Event.AttemptDraining draining) {
    Drain.Preemption preemption = draining.drain().preemption();
    if (preemption == null) {
      evictions.clear();
      return;
    }
    count++;
    IndexKey victim = draining.attempt().indexKey();
    String pair = preemption.preemptor() + " evicts " + victim;
    if (!evictions.add(pair)) {
      throw new BrokenPromiseException(
          Promise.PREEMPTION, pair + " for the second time, and nothing has changed");
    }
  }
}
