// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

/** What must be true of an object for it to be changed. */
public interface Precondition {
  /** No condition. */
  Precondition NONE = generation -> true;

  /** Whether an object of that generation may be changed. */
  boolean holds(long generation);
}
