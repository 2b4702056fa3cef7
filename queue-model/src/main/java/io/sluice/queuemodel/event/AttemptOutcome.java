// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

/** How an attempt ended. */
public enum AttemptOutcome {
  SUCCEEDED,
  FAILED,
  PREEMPTED,
  CANCELLED,
  /** It ran longer than its time limit. */
  TIMED_OUT,
  /** It was taken back: its queue was drained, or it did not start in time. */
  EVICTED,
  /** It was found gone without anybody having told it to end, or what it ran on was lost. */
  LOST
}
