// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.pipeline;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a pipeline: a job, or as many as it fans out to.
 *
 * @param dependsOn what it waits for; none: it begins with the run
 * @param fanOut null: it is one job
 * @param timeLimit from when its first job is submitted until its last one has ended; null: none
 * @param priorityClass of its jobs, unless their template names one; null: that of the run
 * @param job the template of its jobs, a JSON object; see the guide for what may stand in it
 */
public record Step(
    String name,
    List<Dependency> dependsOn,
    @Nullable FanOut fanOut,
    StepRetry retry,
    @Nullable Duration timeLimit,
    @Nullable String priorityClass,
    String job) {
  public Step {
    dependsOn = List.copyOf(dependsOn);
  }

  /**
   * The dependency of a step on another one.
   *
   * @param step its name
   * @param when how that must have ended
   */
  public record Dependency(String step, Condition when) {}

  /** The outcome of a step that lets a dependent step begin. */
  public enum Condition {
    SUCCEEDED("succeeded"),
    FAILED("failed"),
    /** However it ended, passed over included. */
    ALWAYS("always");

    private final String word;

    Condition(String word) {
      this.word = word;
    }

    /** The word in manifests. */
    public String word() {
      return word;
    }
  }
}
