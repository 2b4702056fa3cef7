// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import io.sluice.queuemodel.pipeline.Pipeline;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run as it is known to the one who takes it further.
 *
 * @param parameters values of all parameters of the pipeline, each as JSON
 * @param steps by name, the exit handler included; not copied, so that who takes a run further may
 *     change many of them
 * @param ending what it will have come to when all has ended: CANCELLED or FAILED; null: what its
 *     steps come to
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
   * What tells a run from others of its pipeline.
   *
   * @param schedule by which it began; empty: by hand
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
