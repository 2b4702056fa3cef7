// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

/** The state of a job. Of an array: where its most advanced live index stands. */
public enum JobState {
  /** Acknowledged, not yet in its queue. */
  SUBMITTED,
  /** In its queue. */
  PENDING,
  /** It holds quota, and slices where it asks for them; its attempt is being started. */
  ADMITTED,
  /** An attempt runs. */
  RUNNING,
  /** Its attempt was told to end and has not been reported gone. */
  DRAINING,
  /** Every index succeeded. */
  SUCCEEDED,
  /** Every index ended and at least one failed for good. */
  FAILED,
  /** Ended by request. */
  CANCELLED;

  public boolean terminal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED;
  }
}
