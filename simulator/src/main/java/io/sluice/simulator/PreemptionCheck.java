// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.queuemodel.job.AttemptReport;
import io.sluice.queuemodel.job.Drain;
import io.sluice.queuemodel.job.Event;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.Input;
import java.util.List;
import java.util.TreeMap;

/**
 * P8: as long as nothing comes from outside and nothing ends of itself, nobody evicts the same
 * index again and again.
 */
final class PreemptionCheck {
  /**
   * How often one may evict another until something else happens. What drains comes free piece by
   * piece, and a claim on a piece may be lost to others who may evict its holder: a few repetitions
   * are no loop, a loop repeats without end.
   */
  static final int TIMES_MAX = 1;

  private final TreeMap<String, Integer> times = new TreeMap<>();
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
      times.clear();
    }
    for (Event event : events) {
      if (event instanceof Event.IndexFinished || event instanceof Event.JobFinished) {
        times.clear();
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
      times.clear();
      return;
    }
    count++;
    IndexKey victim = draining.attempt().indexKey();
    String pair = preemption.preemptor() + " evicts " + victim;
    int often = times.merge(pair, 1, Integer::sum);
    if (often > TIMES_MAX) {
      throw new BrokenPromiseException(
          Promise.PREEMPTION, pair + " for the " + often + "th time, and nothing has changed");
    }
  }
}
