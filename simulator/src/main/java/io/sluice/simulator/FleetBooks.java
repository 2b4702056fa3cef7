// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The processes that really run on the simulated hosts. P2 and P4 are checked here when something
 * starts, and against the engine after each batch.
 */
final class FleetBooks {
  private final List<Execution> running = new ArrayList<>();

  List<Execution> running() {
    return List.copyOf(running);
  }

  /**
   * Processes start.
   *
   * @throws BrokenPromiseException if others are there that must not be
   */
  void begin(Execution begun) {
    if (begun.slices().size() != begun.slicesAsked()
        || new LinkedHashSet<>(begun.slices()).size() != begun.slicesAsked()) {
      throw new BrokenPromiseException(
          Promise.SLICES, begun + " starts, but asked for " + begun.slicesAsked() + " slices");
    }
    for (Execution other : running) {
      if (other.attempt().indexKey().equals(begun.attempt().indexKey())) {
        throw new BrokenPromiseException(
            Promise.EXECUTIONS, begun + " starts while there are processes of " + other);
      }
      if (begun.hosts().stream().anyMatch(other.hosts()::contains)) {
        throw new BrokenPromiseException(
            Promise.SLICES, begun + " starts on a slice where there are processes of " + other);
      }
    }
    running.add(begun);
  }

  /** Nothing of it is left. */
  void end(Execution ended) {
    ended.become(Execution.Phase.GONE);
    running.remove(ended);
  }

  /**
   * Compares with what the engine has committed: it must not count as free what processes use.
   *
   * @throws BrokenPromiseException if it does
   */
  void check(AdmissionState committed) {
    for (Execution execution : running) {
      Attempt attempt = committed.findAttempt(execution.attempt());
      if (attempt == null || !mayRun(execution, attempt)) {
        throw new BrokenPromiseException(
            Promise.EXECUTIONS, "there are processes of " + execution + ", which is not current");
      }
      boolean current = attempt.generation() == execution.generation();
      if (current && !attempt.assignment().slices().equals(execution.slices())) {
        throw new BrokenPromiseException(
            Promise.SLICES,
            "there are processes of " + execution + ", which has " + attempt.assignment().slices());
      }
      for (String slice : execution.slices()) {
        if (!attempt.key().equals(committed.slices().holder(slice))) {
          throw new BrokenPromiseException(
              Promise.SLICES, "there are processes of " + execution + ", which lost " + slice);
        }
      }
    }
  }

  /** What is older may be there until the present generation is settled. */
  private static boolean mayRun(Execution execution, Attempt attempt) {
    return attempt.generation() == execution.generation()
        || (execution.generation() < attempt.generation() && !attempt.settled());
  }
}
