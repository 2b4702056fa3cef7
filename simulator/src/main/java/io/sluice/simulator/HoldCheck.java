// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.state.record.Hold;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.RungEvent;
import io.sluice.queuemodel.job.JobId;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks holds: a held job is not admitted and has no claim; the last request of a batch counts. It
 * is told by the events alone, without the memory that they make.
 */
final class HoldCheck {
  private final TreeSet<JobId> known = new TreeSet<>();
  private final TreeSet<JobId> held = new TreeSet<>();

  /**
   * Looks at a batch.
   *
   * @throws BrokenPromiseException if a held job was served, or a wish had no effect
   */
  void check(List<Input> inputs, List<Event> events) {
    SortedMap<JobId, Input> wishes = wishes(inputs);
    for (Event event : events) {
      JobId job = event.job();
      if (job == null) {
        continue;
      }
      if (event instanceof Event.JobEnqueued) {
        known.add(job);
      } else if (event instanceof Event.JobFinished || event instanceof Event.CancelRequested) {
        known.remove(job);
        held.remove(job);
      } else if (event instanceof Event.JobHeld hold) {
        held.add(job);
        if (hold.caller().equals(Hold.QUARANTINE)) {
          // The engine holds it, whatever its owner wished before.
          wishes.remove(job);
        }
      } else if (event instanceof Event.JobReleased) {
        held.remove(job);
      } else if (serves(event) && held.contains(job)) {
        throw new BrokenPromiseException(Promise.HOLDS, "the job of " + event + " is held");
      }
    }
    wishes.forEach(
        (job, wish) -> {
          boolean wanted = wish instanceof Input.HoldJob;
          if (known.contains(job) && held.contains(job) != wanted) {
            throw new BrokenPromiseException(Promise.INPUTS, wish + " was consumed without effect");
          }
        });
  }

  private static boolean serves(Event event) {
    return event instanceof Event.Admitted
        || event instanceof Event.Claimed
        || event instanceof RungEvent.RungOpened;
  }

  /** The last wish about each job that was there to be held. */
  private SortedMap<JobId, Input> wishes(List<Input> inputs) {
    TreeMap<JobId, Input> wishes = new TreeMap<>();
    TreeSet<JobId> there = new TreeSet<>(known);
    for (Input input : inputs) {
      if (input instanceof Input.SubmitJob submit) {
        there.add(submit.workload().id());
      } else if (input instanceof Input.HoldJob hold && there.contains(hold.job())) {
        wishes.put(hold.job(), hold);
      } else if (input instanceof Input.ReleaseJob release && there.contains(release.job())) {
        wishes.put(release.job(), release);
      }
    }
    return wishes;
  }
}
