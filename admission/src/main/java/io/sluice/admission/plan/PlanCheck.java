// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.plan;

import io.sluice.admission.forecast.Ticks;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.promise.Promise;
import io.sluice.queuemodel.event.PlannedStart;
import java.util.ArrayList;
import java.util.List;

/**
 * Seeks planned starts that a finished round should have changed. {@link Planning} asks only about
 * those that a change concerns; this asks about all of them.
 */
public final class PlanCheck {
  private PlanCheck() {}

  /**
   * Returns a description of each planned start that has passed, does not hold or could be earlier.
   */
  public static List<String> faults(AdmissionState state) {
    List<String> faults = new ArrayList<>();
    if (state.plan().isEmpty()) {
      return faults;
    }
    StartSearch search = new StartSearch(state);
    for (Promise promise : List.copyOf(state.plan().promises())) {
      PlannedStart found = search.find(promise.job());
      if (promise.dated() && promise.from() < Ticks.of(state.now())) {
        faults.add("start of " + promise.job().id() + " has passed: " + promise.start());
      } else if (promise.dated() && !Planning.holds(state, promise)) {
        faults.add("start of " + promise.job().id() + " does not hold: " + promise.start());
      } else if (!isLate(state, promise) && found != null && found.precedes(promise.start())) {
        faults.add(
            "start of %s could be earlier: %s instead of %s"
                .formatted(promise.job().id(), found, promise.start()));
      }
    }
    return faults;
  }

  private static boolean isLate(AdmissionState state, Promise promise) {
    return promise.dated() && promise.from() <= Ticks.of(state.now());
  }
}
