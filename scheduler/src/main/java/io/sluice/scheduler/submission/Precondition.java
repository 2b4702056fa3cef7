// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

/** A condition on an object's generation, for example from an If-Match header. */
public interface Precondition {
  /** No condition. */
  Precondition NONE = generation -> true;

  /** Whether an object of this generation may be changed. */
  boolean holds(long generation);
}
