// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

/** How far a step of a run, or one part of it, has come. */
public enum StepState {
  /** What it waits for has not ended, or its turn has not come. */
  WAITING,
  /** At least one job of it was submitted, and not all of them have ended. */
  RUNNING,
  SUCCEEDED,
  FAILED,
  CANCELLED,
  /** It was passed over, since what it waits for did not end as it says. */
  SKIPPED;

  public boolean ended() {
    return this != WAITING && this != RUNNING;
  }
}
