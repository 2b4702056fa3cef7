// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.pipeline;

import io.sluice.queuemodel.ObjectMeta;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline: steps with dependencies that can run repeatedly.
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

  /** The steps, and the exit handler last if there is one. */
  public List<Step> allSteps() {
    if (exitHandler == null) {
      return steps;
    }
    List<Step> all = new ArrayList<>(steps);
    all.add(exitHandler);
    return all;
  }

  /** The step of that name, the exit handler included; null if there is none. */
  public @Nullable Step step(String name) {
    return allSteps().stream().filter(step -> step.name().equals(name)).findFirst().orElse(null);
  }

  /**
   * The steps so that each stands behind those that it waits for; the exit handler is left out. Of
   * a pipeline that has not been checked, those that wait for each other in a circle, or for a step
   * that is not there, are left out as well, with all that wait for them.
   */
  public List<Step> inOrder() {
    Map<String, List<Step>> followers = new TreeMap<>();
    Map<String, Integer> open = new TreeMap<>();
    Deque<Step> ready = new ArrayDeque<>();
    for (Step step : steps) {
      open.put(step.name(), step.dependsOn().size());
      if (step.dependsOn().isEmpty()) {
        ready.add(step);
      }
      for (Step.Dependency dependency : step.dependsOn()) {
        followers.computeIfAbsent(dependency.step(), none -> new ArrayList<>()).add(step);
      }
    }
    List<Step> order = new ArrayList<>();
    while (!ready.isEmpty()) {
      Step step = ready.remove();
      order.add(step);
      for (Step follower : followers.getOrDefault(step.name(), List.of())) {
        if (open.merge(follower.name(), -1, Integer::sum) == 0) {
          ready.add(follower);
        }
      }
    }
    return order;
  }

  /** The schedule of that name; null if there is none. */
  public @Nullable Schedule schedule(String name) {
    return schedules.stream()
        .filter(schedule -> schedule.name().equals(name))
        .findFirst()
        .orElse(null);
  }
}
