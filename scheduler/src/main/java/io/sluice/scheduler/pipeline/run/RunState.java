// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

/** The state of a run. */
public enum RunState {
  /** It waits for another run of its schedule to end. */
  QUEUED,
  RUNNING,
  SUCCEEDED,
  FAILED,
  CANCELLED,
  /** It never began, since another run of its schedule was live. */
  SKIPPED;

  public boolean ended() {
    return this != QUEUED && this != RUNNING;
  }
}
