// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.queuemodel.pipeline.Pipeline;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run as input of its advance.
 *
 * @param parameters values of all parameters of the pipeline, each as JSON
 * @param steps by name, the exit handler included; not copied, so that the advance may change many
 *     of them
 * @param ending the outcome to record at its end: CANCELLED or FAILED; null: the outcome of its
 *     steps
 */
public record RunView(
    UUID id,
    Pipeline pipeline,
    Identity identity,
    SortedMap<String, String> parameters,
    SortedMap<String, RunStep> steps,
    @Nullable RunState ending) {
  public RunView {
    parameters = new TreeMap<>(parameters);
  }

  /**
   * The identity of a run among those of its pipeline.
   *
   * @param schedule that began it; empty: a user did
   * @param startedAt when it began to run
   */
  public record Identity(
      String namespace, String name, Instant logicalTime, String schedule, Instant startedAt) {}

  RunStep step(String name) {
    RunStep step = steps.get(name);
    if (step == null) {
      throw new IllegalStateException("run " + id + " has no step " + name);
    }
    return step;
  }
}
