// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The interval in which a run is expected to end: the critical path through its remaining steps,
 * each with its durations in earlier runs. A step's duration runs from its start to the end of its
 * last part, so it includes time in the queue and retries.
 */
public record ExpectedFinish(Instant earliest, Instant latest) {
  /** The durations of a step in earlier runs: four out of five lie between these two. */
  record Took(Duration shorter, Duration longer) {}

  /**
   * The expected end of a step.
   *
   * @param passedOver whether it is expected to be skipped, by the usual outcome of other steps
   */
  private record Expected(Instant earliest, Instant latest, boolean passedOver) {}

  /**
   * Computes the expected end.
   *
   * @param known all steps by name, with their states; parts are not used
   * @param before durations by step; a step that is absent has never succeeded
   * @return null: a step that has never succeeded is still to run
   */
  static @Nullable ExpectedFinish of(
      Pipeline pipeline,
      Map<String, RunRows.StepRow> known,
      Map<String, Took> before,
      Instant now) {
    Map<String, Expected> expected = new TreeMap<>();
    Expected end = new Expected(now, now, false);
    for (Step step : pipeline.inOrder()) {
      Expected one = of(step, known, before.get(step.name()), expected, now);
      if (one == null) {
        return null;
      }
      expected.put(step.name(), one);
      end = later(end, one);
    }
    Step exit = pipeline.exitHandler();
    if (exit != null) {
      Expected last = took(known.get(exit.name()), before.get(exit.name()), end, now);
      if (last == null) {
        return null;
      }
      end = last;
    }
    return new ExpectedFinish(end.earliest(), end.latest());
  }

  private static @Nullable Expected of(
      Step step,
      Map<String, RunRows.StepRow> known,
      @Nullable Took before,
      Map<String, Expected> expected,
      Instant now) {
    RunRows.StepRow row = known.get(step.name());
    Expected begin = new Expected(now, now, false);
    boolean passedOver = false;
    for (Step.Dependency dependency : step.dependsOn()) {
      Expected other = expected.get(dependency.step());
      if (other != null) {
        begin = later(begin, other);
        passedOver |= other.passedOver() && dependency.when() != Step.Condition.ALWAYS;
      }
      // A step that waits for a failure is expected to be skipped, until there is a failure.
      passedOver |= dependency.when() == Step.Condition.FAILED && !hasFailed(known, dependency);
    }
    if (passedOver && (row == null || row.step().state() == StepState.WAITING)) {
      return new Expected(begin.earliest(), begin.latest(), true);
    }
    return took(row, before, begin, now);
  }

  private static boolean hasFailed(Map<String, RunRows.StepRow> known, Step.Dependency dependency) {
    RunRows.StepRow row = known.get(dependency.step());
    return row != null && row.step().state() == StepState.FAILED;
  }

  private static @Nullable Expected took(
      RunRows.@Nullable StepRow row, @Nullable Took before, Expected begin, Instant now) {
    if (row != null && row.step().state().ended()) {
      return new Expected(now, now, row.step().state() == StepState.SKIPPED);
    }
    if (before == null) {
      return null;
    }
    Instant began = row == null ? null : row.step().startedAt();
    if (row != null && row.step().state() == StepState.RUNNING && began != null) {
      return new Expected(
          max(now, began.plus(before.shorter())), max(now, began.plus(before.longer())), false);
    }
    return new Expected(
        begin.earliest().plus(before.shorter()), begin.latest().plus(before.longer()), false);
  }

  private static Expected later(Expected one, Expected other) {
    return new Expected(
        max(one.earliest(), other.earliest()), max(one.latest(), other.latest()), false);
  }

  private static Instant max(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
