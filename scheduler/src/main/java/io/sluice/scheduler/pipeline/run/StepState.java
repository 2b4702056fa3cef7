// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

/** The state of a step of a run, or of one part of it. */
public enum StepState {
  /** Its dependencies have not ended, or there is no room for it yet. */
  WAITING,
  /** At least one job of it was submitted, and not all of them have ended. */
  RUNNING,
  SUCCEEDED,
  FAILED,
  CANCELLED,
  /** It was skipped, since a dependency did not end as required. */
  SKIPPED;

  public boolean ended() {
    return this != WAITING && this != RUNNING;
  }
}
