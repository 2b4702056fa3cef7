// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

/** Why an attempt failed. */
public enum FailureCause {
  /** A process ended with a code other than 0. */
  EXIT_CODE(true),
  /** A process was ended by a signal that Sluice did not send. */
  SIGNAL(true),
  /** A process could not be started. */
  START_FAILED(true),
  /** It ran longer than its time limit. */
  TIME_LIMIT(true),
  /** It made no progress for its progress deadline, and none for as long again. */
  STALLED(true),
  /** It was not reported started within its start deadline. */
  START_DEADLINE(false),
  /** The server that ran its processes is gone, and they could not go on; they were ended. */
  SERVER_LOST(false),
  /** A host that it ran on is gone, or what would have told there how it ended. */
  HOST_LOST(false),
  /** The provider of a slice that it ran on took it back. */
  SLICE_RECLAIMED(false);

  private final boolean countsAsFailure;

  FailureCause(boolean countsAsFailure) {
    this.countsAsFailure = countsAsFailure;
  }

  /** Whether it uses up the job's failures; what the job could not help does not. */
  public boolean countsAsFailure() {
    return countsAsFailure;
  }
}
