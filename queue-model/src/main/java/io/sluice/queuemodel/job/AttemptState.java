// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

/** The state of an attempt. */
public enum AttemptState {
  /** It holds quota and slices; it was or will be given to an executor. */
  ADMITTED,
  /** Its executor reported it started. */
  RUNNING,
  /** It was told to end; what it holds is not free. */
  DRAINING,
  /** Nothing of it is left. */
  ENDED
}
