// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.pipeline;

import io.sluice.queuemodel.ObjectMeta;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Steps in an order, to be run again and again.
 *
 * @param parameters that a run is given, in the order in which they are written
 * @param steps at least one; those that a step waits for may stand behind it
 * @param exitHandler runs when all steps have ended, however they did; null: nothing does
 * @param schedules by which runs begin of themselves; none: runs are begun by hand
 */
public record Pipeline(
    ObjectMeta meta,
    List<Parameter> parameters,
    List<Step> steps,
    @Nullable Step exitHandler,
    RunTerms terms,
    List<Schedule> schedules) {
  public Pipeline {
    parameters = List.copyOf(parameters);
    steps = List.copyOf(steps);
    schedules = List.copyOf(schedules);
  }

  /** The step of that name, the exit handler included; null if there is none. */
  public @Nullable Step step(String name) {
    for (Step step : steps) {
      if (step.name().equals(name)) {
        return step;
      }
    }
    return exitHandler != null && exitHandler.name().equals(name) ? exitHandler : null;
  }

  /** The schedule of that name; null if there is none. */
  public @Nullable Schedule schedule(String name) {
    return schedules.stream()
        .filter(schedule -> schedule.name().equals(name))
        .findFirst()
        .orElse(null);
  }
}
