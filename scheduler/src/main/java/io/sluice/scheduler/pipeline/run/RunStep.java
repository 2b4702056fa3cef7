// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step of a run.
 *
 * @param parts the last try of each part, by number; empty before the step begins
 * @param startedAt null: it has not begun
 * @param reason why it failed or was skipped, for people; may be empty
 */
public record RunStep(
    String name, StepState state, List<RunPart> parts, @Nullable Instant startedAt, String reason) {
  public RunStep {
    parts = List.copyOf(parts);
  }
}
