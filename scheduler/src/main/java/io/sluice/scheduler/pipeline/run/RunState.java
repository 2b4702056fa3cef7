// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

/** How far a run has come. */
public enum RunState {
  /** It waits for another run of its schedule to end. */
  QUEUED,
  RUNNING,
  SUCCEEDED,
  FAILED,
  CANCELLED,
  /** It never began, since another run of its schedule was there. */
  SKIPPED;

  public boolean ended() {
    return this != QUEUED && this != RUNNING;
  }
}
